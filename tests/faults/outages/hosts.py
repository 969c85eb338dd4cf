"""Hosts made of network namespaces, joined by a bridge in one more; all of it is ours alone.

The addresses are of a range for documentation (RFC 5737) and exist in these namespaces only: the
bridge has a namespace of its own, so that the machine's own network sees nothing of it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

NET = "192.0.2"
PREFIX = "whencetest"
COMMAND_SECONDS = 20


class NotAllowed(Exception):
    """This machine does not let us make network namespaces."""


def ip(*words: str) -> None:
    """Run `ip`; raises NotAllowed with its words."""
    process = subprocess.run(
        ["ip", *words], capture_output=True, text=True, check=False, timeout=COMMAND_SECONDS
    )
    if process.returncode:
        raise NotAllowed(f"ip {' '.join(words)}: {process.stderr.strip()}")


@dataclass(frozen=True)
class Host:
    """One namespace with one address, and the other end of its cable at the switch."""

    name: str
    address: str
    switch: str
    plug: str

    @property
    def inside(self) -> tuple[str, ...]:
        """The words that run a command in this host."""
        return ("ip", "netns", "exec", self.name)

    def cut(self) -> None:
        """Pull the cable."""
        ip("-n", self.switch, "link", "set", self.plug, "down")

    def heal(self) -> None:
        """Put it back."""
        ip("-n", self.switch, "link", "set", self.plug, "up")


@contextmanager
def hosts(count: int) -> Iterator[list[Host]]:
    """That many hosts on one switch; skips where they cannot be made, removes them at the end."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("making network namespaces takes root and the command `ip` (iproute2)")
    _remove_those_of_the_dead()
    tag = f"{os.getpid()}-{secrets.token_hex(2)}"
    switch = f"{PREFIX}-{tag}-s"
    made: list[Host] = []
    namespaces: list[str] = []
    try:
        try:
            ip("netns", "add", switch)
            namespaces.append(switch)
            ip("-n", switch, "link", "add", "bridge0", "type", "bridge", "forward_delay", "0")
            ip("-n", switch, "link", "set", "bridge0", "up")
            for number in range(1, count + 1):
                host = Host(f"{PREFIX}-{tag}-{number}", f"{NET}.{number}", switch, f"plug{number}")
                ip("netns", "add", host.name)
                namespaces.append(host.name)
                ends = ["type", "veth", "peer", "name", "eth0", "netns", host.name]
                ip("-n", switch, "link", "add", host.plug, *ends)
                ip("-n", switch, "link", "set", host.plug, "master", "bridge0", "up")
                ip("-n", host.name, "address", "add", f"{host.address}/24", "dev", "eth0")
                for device in ("lo", "eth0"):
                    ip("-n", host.name, "link", "set", device, "up")
                made.append(host)
        except NotAllowed as error:
            pytest.skip(f"network namespaces cannot be made here: {error}")
        yield made
    finally:
        for name in reversed(namespaces):
            _remove(name)


def _remove(name: str) -> None:
    """End what still runs in a namespace of ours, and remove it with its cables."""
    for pid in _said("netns", "pids", name).split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    _said("netns", "delete", name)


def _remove_those_of_the_dead() -> None:
    """A test that was killed could not tidy up; its process id is in its namespaces' names."""
    for line in _said("netns", "list").splitlines():
        name = line.split()[0]
        words = name.split("-")
        if words[0] == PREFIX and not Path(f"/proc/{words[1]}").exists():
            _remove(name)


def _said(*words: str) -> str:
    command = ["ip", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=COMMAND_SECONDS
    ).stdout
