"""A protection of the program, what takes it out, and the tests that must notice."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]


class Outdated(Exception):
    """A breakage does not fit the code any more; write down what takes its protection out today."""


@dataclass(frozen=True)
class Breakage:
    """One file `NN_name.toml` of this folder."""

    name: str
    protection: str
    """What holds as long as the code is whole."""
    file: str
    find: str
    """Occurs once in the file."""
    replace: str
    tests: tuple[str, ...]
    """At least one of them must fail; addresses as pytest takes them."""
    own_database: bool = False
    """It breaks the schema or how a database is opened, so that it needs a server of its own."""

    @classmethod
    def read(cls, path: Path) -> Breakage:
        """The breakage of a file; TypeError for a field that is missing or unknown."""
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
        return cls(name=path.stem, **fields | {"tests": tuple(fields["tests"])})

    def broken(self, source: str) -> str:
        """The file's text without the protection; raises Outdated."""
        count = source.count(self.find)
        if count != 1:
            raise Outdated(f"{self.name}: its text occurs {count} times in {self.file}, not once")
        return source.replace(self.find, self.replace)

    def check(self) -> None:
        """Raise Outdated where the file, the text or a test is not there any more."""
        path = ROOT / self.file
        if not path.is_file():
            raise Outdated(f"{self.name}: there is no file {self.file}")
        self.broken(path.read_text(encoding="utf-8"))
        for address in self.tests:
            file, _, test = address.partition("::")
            tests = ROOT / file
            name = test.partition("[")[0]
            if not tests.is_file() or f"def {name}(" not in tests.read_text(encoding="utf-8"):
                raise Outdated(f"{self.name}: there is no test {address}")


def breakages(words: str = "") -> list[Breakage]:
    """All of them in their order; with `words` those whose name has one of them."""
    wanted = words.split()
    return [
        Breakage.read(path)
        for path in sorted(FOLDER.glob("*.toml"))
        if not wanted or any(word in path.stem for word in wanted)
    ]
