"""Writes a new pack: a copy of `blank_pack` under new names."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy.dialects.postgresql.base import RESERVED_WORDS

from whence.app.check.names import RESERVED
from whence.kernel.errors import Conflict, Invalid

TEMPLATE = Path(__file__).parent / "blank_pack"
_WORD = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_SINGULAR = {"lens", "series", "species", "news"}
_NAME_LENGTH = 40
"""Characters; PostgreSQL truncates names at 63, and those of indexes are longer."""


class FolderExists(Conflict):
    """That path already exists; choose another name, or remove it."""


def kind_of(name: str, noun: str | None) -> str:
    """The kind of the new pack's records, as used in addresses."""
    return _plural(noun).replace("_", "-") if noun else f"{name.replace('_', '-')}-records"


def write_pack(folder: Path, name: str, noun: str | None = None) -> Path:
    """Write the pack `name` below `folder`, about records called `noun`; returns its folder.

    Both are lower-case words joined by '_', the noun in the singular.  Raises Invalid for other
    names, and FolderExists.
    """
    _check(name, "pack")
    if name in RESERVED or name in RESERVED_WORDS or name.startswith("pg_"):
        raise Invalid(f"'{name}' is a word of the engine or of PostgreSQL; choose another name.")
    if noun is not None:
        _check(noun, "record")
        if re.search(r"[^aiosu]s$", noun) and noun not in _SINGULAR:
            raise Invalid(f"'{noun}' looks like a plural; write the noun in the singular.")
        if re.search(rf"\b{_class_of(noun)}\b", _python()):
            raise Invalid(f"The class '{_class_of(noun)}' is in use; choose another noun.")
    target = folder / name
    if target.exists() or target.is_symlink():
        raise FolderExists(f"'{target}' exists already; choose another name, or remove it.")
    names = _names(name, noun)
    try:
        _write(target, names)
    except OSError as error:
        raise Invalid(f"'{target}' cannot be written: {error.strerror or error}.") from error
    return target


def _write(target: Path, names: Mapping[str, str]) -> None:
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            copy = target / _renamed(str(path.relative_to(TEMPLATE)), names)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(_renamed(path.read_text(encoding="utf-8"), names), encoding="utf-8")


def _check(word: str, what: str) -> None:
    if not _WORD.fullmatch(word) or keyword.iskeyword(word) or len(word) > _NAME_LENGTH:
        raise Invalid(
            f"'{word}' cannot name a {what}; use lower-case letters, digits and single '_', begin "
            f"with a letter, at most {_NAME_LENGTH} characters, no word of Python's."
        )


def _names(name: str, noun: str | None) -> Mapping[str, str]:
    """The template's names and the new ones."""
    one = noun or "record"
    many = _plural(one)
    words, article = one.replace("_", " "), "an" if one[0] in "aeiou" else "a"
    return {
        "a blank record": f"{article} {words}",
        "A blank record": f"{article.capitalize()} {words}",
        "a_blank_record": f"{article}_{one}",
        "blank_pack": name,
        "Blank pack": name.replace("_", " ").capitalize(),
        "blank-records": kind_of(name, noun),
        "blank_records": many,
        "BLANK_RECORDS": many.upper(),
        "BlankRecord": _class_of(one),
        "Blank records": many.replace("_", " ").capitalize(),
        "blank records": many.replace("_", " "),
        "Blank record": words.capitalize(),
        "blank record": words,
    }


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return re.sub("|".join(names), lambda match: names[match[0]], text)


def _class_of(noun: str) -> str:
    return "".join(word.capitalize() for word in noun.split("_"))


def _python() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in TEMPLATE.rglob("*.py"))


def _plural(noun: str) -> str:
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|z|ch|sh)$", noun) else f"{noun}s"
