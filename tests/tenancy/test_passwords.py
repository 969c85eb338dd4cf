"""Which passwords are accepted, and how they are hashed."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.kernel.errors import Unavailable
from whence.tenancy import passwords
from whence.tenancy.common_passwords import COMMON
from whence.tenancy.passwords import (
    MAX_LENGTH,
    MIN_LENGTH,
    MOST_AT_ONCE,
    MOST_WAITING,
    PARAMETERS,
    Parameters,
    WeakPassword,
    checked,
)

STORED = {
    PARAMETERS: "86b02a2491a49d7778b71d16fdba7f673b785bed64df9d261515c95bf95a33a2",
    Parameters(1, 64, 1): "00072781da91d8778bca8aae5cc6d62c9320645e57ea61288b85fc898d44064d",
    Parameters(1, 64, 1, 25): "3b5a0cb7082e1365eeaef6f28409d90ba57736bffc035c9828",
}
NAMES = ["ada.lovelace@example.org", "Difference Engines"]


@pytest.mark.parametrize(
    "weak",
    [
        "",
        "ninechars",
        "x" * (MAX_LENGTH + 1),
        "password123",
        "PassWord123",
        "pass word 123",
        "Welcome2026!",
        "qwertyuiop",
        "0987654321",
        "aaaaaaaaaaaa",
        "abababababab",
        "ada.lovelace@example.org",
        "Ada.Lovelace",
        "example.org",
        "difference engines",
        "DIFFERENCEENGINES",
    ],
)
def test_a_password_that_is_guessed_first_is_refused(weak: str) -> None:
    with pytest.raises(WeakPassword):
        checked(weak, names=NAMES)


@pytest.mark.parametrize(
    "good",
    ["seven quiet herons", "tr0ub4dor&3", "пароль-из-слов", "x" * 99 + "yz", "🦢🦆🐦🦉🦅🐧🐔🐤🦜🕊"],
)
def test_length_is_enough_without_rules_of_composition(good: str) -> None:
    assert checked(good, names=NAMES)


def test_the_list_of_common_ones_holds_none_that_length_refuses_anyway_alone() -> None:
    assert sum(len(word) >= MIN_LENGTH for word in COMMON) > 1000


@given(st.text(min_size=MIN_LENGTH, max_size=MAX_LENGTH))
def test_every_text_is_accepted_or_refused_in_words(text: str) -> None:
    with contextlib.suppress(WeakPassword):
        assert checked(text)


def test_parameters_are_read_as_they_were_written() -> None:
    for each in (PARAMETERS, Parameters(1, 8, 1), Parameters(2, 19456, 1, 24)):
        assert Parameters.parsed(str(each)) == each


def test_parameters_are_the_second_option_of_rfc_9106() -> None:
    assert (PARAMETERS.passes, PARAMETERS.memory, PARAMETERS.lanes) == (3, 2**16, 4)
    assert (PARAMETERS.length, passwords.SALT_BYTES) == (32, 16)


@pytest.mark.anyio
async def test_the_same_password_has_another_hash_each_time_and_the_same_with_its_salt() -> None:
    cheap = Parameters(1, 64, 1)
    first = await passwords.hashed("a", None, cheap)
    assert first.digest != (await passwords.hashed("a", None, cheap)).digest
    assert first == await passwords.hashed("a", first.salt, cheap)
    composed, decomposed = "\u00e9", "e\u0301"  # one letter, from two keyboards
    digests = {
        (await passwords.hashed(t, first.salt, cheap)).digest for t in (composed, decomposed)
    }
    assert len(digests) == 1
    longest = checked("ab" + decomposed * (MAX_LENGTH - 2))  # more characters as it is typed
    salted = (first.salt, cheap)
    typed = await passwords.hashed("ab" + decomposed * (MAX_LENGTH - 2), *salted)
    assert typed == await passwords.hashed(longest, *salted)
    assert typed != await passwords.hashed(longest + "c", *salted)


@pytest.mark.anyio
async def test_a_digest_is_the_one_that_earlier_versions_stored() -> None:
    """Computed with `argon2.low_level.hash_secret_raw`, as until version 0.1."""
    for parameters, stored in STORED.items():
        hashed = await passwords.hashed("tr0ub4dor&3", b"0123456789abcdef", parameters)
        assert hashed.digest.hex() == stored
        assert passwords.needs_rehash(hashed) == (parameters != passwords.PARAMETERS)


@pytest.mark.anyio
async def test_hashing_leaves_the_event_loop_free_and_runs_two_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, running, most = threading.Event(), [0], [0]
    lock = threading.Lock()

    def slow(*_given: Any, **_more: Any) -> str:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        gate.wait(20)
        with lock:
            running[0] -= 1
        return "$"

    monkeypatch.setattr(passwords.PasswordHasher, "hash", slow)
    many = [asyncio.create_task(passwords.hashed("a")) for _ in range(MOST_AT_ONCE + MOST_WAITING)]
    await asyncio.sleep(0.05)  # the loop goes on while they hash
    with pytest.raises(Unavailable):
        await passwords.hashed("one too many")
    many.pop().cancel()  # somebody who left gives the place back
    await asyncio.sleep(0.05)
    many.append(asyncio.create_task(passwords.hashed("a")))
    gate.set()
    await asyncio.gather(*many)
    assert most[0] == MOST_AT_ONCE
