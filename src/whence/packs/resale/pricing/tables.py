"""Explain errors in an edited TOML table: the file, the line or key, and the fix."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import ValidationError


def explain(
    path: Path, problem: OSError | UnicodeDecodeError | tomllib.TOMLDecodeError | ValidationError
) -> str:
    """One message with the fix, one line per wrong key."""
    match problem:
        case ValidationError():
            return "\n".join(_wrong_keys(path, problem))
        case tomllib.TOMLDecodeError():
            return f"{path.name} is not valid TOML: {problem}; correct that line."
        case UnicodeDecodeError():
            return f"{path.name} is not UTF-8 text; save it as UTF-8."
        case OSError():
            return f"{path} cannot be read ({problem.strerror}); correct its path or permissions."


def _wrong_keys(path: Path, problem: ValidationError) -> list[str]:
    text = _read(path)
    lines: list[str] = []
    errors = problem.errors(include_url=False, include_context=False)
    paths = [[str(part) for part in error["loc"] if part != "[key]"] for error in errors]
    for error, keys in zip(errors, paths, strict=True):
        if any(len(other) > len(keys) and other[: len(keys)] == keys for other in paths):
            continue
        line = _line_of(text, keys)
        at = f", line {line}" if line else ""
        fix = {"missing": "add it", "extra_forbidden": "remove it or correct its spelling"}.get(
            error["type"]
        )
        if fix is None and isinstance(error["input"], str | int | float):
            fix = f"it is {error['input']!r} now"
        message = error["msg"].removeprefix("Value error, ")
        full_message = message if fix is None else f"{message}; {fix}"
        lines.append(f"{path.name}{at}: {'.'.join(keys) or 'the table'}: {full_message}.")
    return lines


def _read(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _line_of(lines: list[str], keys: list[str]) -> int | None:
    """The line of the key path, or of the nearest table around it; None if there is neither."""
    at: dict[tuple[str, ...], int] = {}
    header: tuple[str, ...] = ()
    for number, raw in enumerate(lines, start=1):
        line = raw.split("#", 1)[0].strip()
        if line.startswith("["):
            header = tuple(part.strip().strip('"') for part in line.strip("[]").split("."))
            at.setdefault(header, number)
        elif "=" in line:
            at.setdefault((*header, line.split("=", 1)[0].strip().strip('"')), number)
    return next(
        (at[path] for n in range(len(keys), 0, -1) if (path := tuple(keys[:n])) in at), None
    )
