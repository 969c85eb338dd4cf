"""resale.intents: does a message get what its writer wants, by rules and without a model?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from whence.packs.resale.chat.offer import CHAT
from whence.sdk import Intent, Invalid, Wire, intent_of

FILE = "messages.jsonl"


class Message(Wire):
    """A message as somebody may write it, and what its writer wants."""

    text: str
    intent: Intent


@dataclass(frozen=True)
class IntentsReport:
    """Shares are 0 to 1; `confusions` counts (wanted, read as), right ones left out."""

    accuracy: float
    n: int
    confusions: Mapping[tuple[Intent, Intent], int]

    def figures(self) -> dict[str, float | int | str]:
        """Flat, with a line for each kind of mistake."""
        rows: dict[str, float | int | str] = {"accuracy": self.accuracy, "n": self.n}
        for (wanted, found), count in sorted(self.confusions.items()):
            rows[f"{wanted.value} read as {found.value}"] = count
        return rows


def intents(data: Path) -> IntentsReport:
    """Read every message of `messages.jsonl` by rules and compare with its label.

    Raises:
        Invalid: the file is missing or empty, or a line malformed (names it).
    """
    messages = list(read_messages(data / FILE))
    if not messages:
        raise Invalid(f"{data / FILE}: no messages in it")
    pairs = [(message.intent, intent_of(message.text, CHAT)) for message in messages]
    wrong = Counter(pair for pair in pairs if pair[0] is not pair[1])
    return IntentsReport(1 - wrong.total() / len(pairs), len(pairs), wrong)


def read_messages(path: Path) -> Iterator[Message]:
    """The labelled messages of a file; raises Invalid naming the line that is none."""
    for number, row in rows_of(path):
        try:
            yield Message.model_validate(row)
        except ValidationError as error:
            raise Invalid(f"{path}, line {number}: not a text with an intent") from error


def rows_of(path: Path) -> Iterator[tuple[int, object]]:
    """(line, JSON) of a file of one value a line; raises Invalid naming file and line."""
    if not path.is_file():
        raise Invalid(f"There is no file '{path}'.")
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as error:
                raise Invalid(f"{path}, line {number}: not JSON") from error
