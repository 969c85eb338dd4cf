"""The commands by name, each loaded only when it is called.

Loading all of them takes seconds, since together they need nearly every library.  `whence --help`
therefore reads the table below.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group


@dataclass(frozen=True)
class Entry:
    """Where a command is, `module:name` below `whence.cli`, and the first sentence of its help.

    The name is that of a function or of a group of commands.
    """

    target: str
    summary: str


COMMANDS = {
    "demo": Entry(
        "demo:demo",
        "Import sample data, research a sample item with photographs, and ask about it.",
    ),
    "serve": Entry("serve:serve", "Serve the API and execute research until stopped."),
    "worker": Entry(
        "serve:worker",
        "Execute queued research until stopped; runs in progress are handed back.",
    ),
    "import": Entry(
        "importing:import_",
        "Import records from a file; refused rows are listed with the reason.",
    ),
    "list": Entry(
        "listing:list_",
        "List records of a kind, or with `--by` count them by the values of a field.",
    ),
    "show": Entry("show:show", "Show a record and its current dossier."),
    "export": Entry(
        "export:export",
        "Export the records of a kind as CSV or JSON, or a dossier as Markdown, PDF or JSON.",
    ),
    "research": Entry("research:research", "Research a record, or many."),
    "chat": Entry("chat:chat", "Talk to a record: ask questions, approve changes, start research."),
    "compare": Entry(
        "compare:compare",
        "Compare the dossiers of the shadow lane with the primary ones, claim by claim.",
    ),
    "wizard": Entry(
        "wizards:wizard", "Fill in a guided form; continues one that was started earlier."
    ),
    "eval": Entry(
        "evaluate:evaluate", "Run an evaluation that ships with a pack, without a database."
    ),
    "doctor": Entry(
        "doctor:doctor",
        "Check settings, database, workers, disk, access, models, sources and perception.",
    ),
    "backup": Entry(
        "backup:backup",
        "Write database, files and secrets into one file; work can continue meanwhile.",
    ),
    "restore": Entry(
        "backup:restore",
        "Restore a backup into an empty database and home, and migrate it to this version.",
    ),
    "erase": Entry("erasing:app", "Erase a record or a person for good."),
    "runs": Entry("runs:app", "Research runs: list, show, follow, cancel, resume, answer."),
    "jobs": Entry("jobs:app", "Background jobs: list, show, cancel, resume."),
    "imports": Entry(
        "imports:app",
        "Imports, also those that wait for a worker: list, show, watch, cancel, undo.",
    ),
    "schedules": Entry("schedules:app", "Schedules: what is started by itself, and when."),
    "account": Entry("accounts:app", "Accounts: people who sign in."),
    "organization": Entry("organizations:app", "Organizations: the tenants of this installation."),
    "keys": Entry("organizations:keys", "The key that signs access tokens."),
    "token": Entry("tokens:app", "API tokens."),
    "pack": Entry("packs:app", "Packs: the domains of this installation."),
}


class LazyGroup(TyperGroup):
    """The commands of `COMMANDS`; one that is called is loaded, a list of them loads none."""

    def __init__(self, **attributes: Any) -> None:
        attributes["commands"] = {
            name: TyperCommand(name, help=entry.summary, callback=None)
            for name, entry in COMMANDS.items()
        }
        super().__init__(**attributes)
        self._is_listing = False

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The list of commands, from their summaries."""
        self._is_listing = True
        super().format_help(ctx, formatter)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by its name, loaded; None if there is none."""
        if self._is_listing or cmd_name not in COMMANDS:
            return self.commands.get(cmd_name)
        return load(cmd_name)


def load(name: str) -> Any:
    """The command with everything that it needs."""
    module, _, attribute = COMMANDS[name].target.partition(":")
    target = getattr(import_module(f"whence.cli.{module}"), attribute)
    if isinstance(target, typer.Typer):
        command: Any = get_group(target)
    else:
        alone = typer.Typer(add_completion=False)
        alone.command()(target)
        command = get_command(alone)
    command.name = name
    return command
