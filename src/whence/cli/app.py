"""The command line; errors become one line on stderr and an exit code."""

from __future__ import annotations

import errno
import os
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from whence.cli.commands import LazyGroup
from whence.kernel.errors import Invalid, NotFound, NotReady, WhenceError
from whence.kernel.text import without_controls

USAGE_ERROR = 2
"""Exit code for what the caller can correct: unknown names, bad input."""
FAILURE = 1

app = typer.Typer(
    name="whence",
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"whence {version('whence')}")
        raise typer.Exit


@app.callback()
def whence(
    *,
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_show_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Evidence-first research agents over records that your team owns."""
    del show_version


def main() -> None:
    """Run the command line."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # here, where a failure can still be told, rather than at the exit
    except (Invalid, NotFound, NotReady) as error:
        _tell(error.message + _way(error))
        sys.exit(USAGE_ERROR)
    except WhenceError as error:
        _tell(error.message)
        sys.exit(FAILURE)
    except BrokenPipeError:  # whoever read the output has seen enough, as `head` has
        _drop_output()
        sys.exit(FAILURE)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _drop_output()
        _tell("No space is left for the output or for whence's files; free some space there.")
        sys.exit(FAILURE)


def _way(error: WhenceError) -> str:
    """For an unknown record or person: what to give, and the command that lists the known ones."""
    kind = error.context.get("kind")
    if not isinstance(error, NotFound) or not kind:
        return ""
    from whence.erasure.erasing import PERSON  # loaded by then: a command has failed

    if kind == PERSON:
        return " Give an e-mail address or a user id; `whence account list` shows the accounts."
    return (
        f" Give the id that its import brought, or whence's own; `whence list {kind}` lists them."
    )


def _drop_output() -> None:
    """Let what is still to be written vanish: at the exit Python would try, and fail, again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell(message: str) -> None:
    # It may name what somebody else wrote: a record's value, the header of a file.
    print(f"whence: {without_controls(message)}", file=sys.stderr)
