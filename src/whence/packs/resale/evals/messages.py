"""resale.intents: whether rules, without a model, detect what a message asks for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from whence.packs.resale.chat.offer import CHAT
from whence.sdk.chat import Intent, intent_of
from whence.sdk.errors import Invalid
from whence.sdk.values import Wire

SETS = {"held out": "messages_fourth.jsonl"}
"""Files by the name of their set.

The set was written and labelled before the rules were run on it, and no rule or example was chosen
by it.  The sets before it are among the examples that the rules learn from.
"""


class Message(Wire):
    """A message and its intent."""

    text: str
    intent: Intent


@dataclass(frozen=True)
class IntentsReport:
    """One set: counts of messages by (wanted, detected) intent."""

    read: Mapping[tuple[Intent, Intent], int]

    @property
    def n(self) -> int:
        """Messages."""
        return sum(self.read.values())

    @property
    def accuracy(self) -> float:
        """Share detected correctly, 0 to 1."""
        return sum(self.read.get((each, each), 0) for each in Intent) / self.n

    def figures(self) -> dict[str, float | int | str]:
        """Flat figures: the accuracy, correct messages per intent, and each kind of error."""
        rows: dict[str, float | int | str] = {"accuracy": self.accuracy, "n": self.n}
        for intent in Intent:
            wanted = sum(count for (each, _), count in self.read.items() if each is intent)
            if wanted:
                rows[intent.value] = f"{self.read.get((intent, intent), 0)} of {wanted}"
        for (wanted, detected), count in sorted(self.read.items()):
            if wanted is not detected:
                rows[f"{wanted.value} read as {detected.value}"] = count
        return rows


def intents(data: Path) -> dict[str, IntentsReport]:
    """Detect the intent of every message by rules and compare it with its label, set by set.

    Raises:
        Invalid: the folder has none of the files, or one is empty, or a line malformed (names it).
    """
    sets = {name: data / file for name, file in SETS.items() if (data / file).is_file()}
    if not sets:
        raise Invalid(f"There is no file '{data / SETS['held out']}'.")
    return {name: _report(path) for name, path in sets.items()}


def _report(path: Path) -> IntentsReport:
    messages = list(read_messages(path))
    if not messages:
        raise Invalid(f"{path}: no messages in it")
    return IntentsReport(Counter((each.intent, intent_of(each.text, CHAT)) for each in messages))


def read_messages(path: Path) -> Iterator[Message]:
    """The labelled messages of a file; raises Invalid, which names a malformed line."""
    for number, row in rows_of(path):
        try:
            yield Message.model_validate(row)
        except ValidationError as error:
            raise Invalid(f"{path}, line {number}: not a text with an intent") from error


def rows_of(path: Path) -> Iterator[tuple[int, object]]:
    """(line, value) of a JSON Lines file; raises Invalid, which names file and line."""
    if not path.is_file():
        raise Invalid(f"There is no file '{path}'.")
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as error:
                raise Invalid(f"{path}, line {number}: not JSON") from error
