"""The command line: exit status 0 done, 1 could not be done, 2 bad arguments or a bad input file.

With 1 and 2 nothing stands on standard output and one plain sentence on standard error. Each command
lives in a module of its own that is imported only when it is called, so that ``sightline rule``
answers without loading cv2 or Flask.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from typing import NamedTuple

import click

from assistant.errors import CannotDo, SightlineError


class CommandPlace(NamedTuple):
    """Where a command is implemented, and its line in the overview."""

    module: str
    attribute: str
    summary: str


COMMANDS: Mapping[str, CommandPlace] = {
    "detect": CommandPlace("assistant.cli.detect", "detect", "Read a photo of the table."),
    "rule": CommandPlace("assistant.cli.rule", "rule", "Range, line of sight and cover between figures."),
    "reach": CommandPlace("assistant.cli.reach", "reach", "Where a figure may end its move."),
    "whatif": CommandPlace("assistant.cli.whatif", "whatif", "A map of the board: from where a figure would see."),
    "about": CommandPlace("assistant.cli.about", "about", "What a table without a grid means for one figure."),
    "odds": CommandPlace("assistant.cli.odds", "odds", "The exact chances of an attack."),
    "rules": CommandPlace("assistant.cli.rules", "rules", "The rules of a game, their sources and the house options."),
    "simulate": CommandPlace(
        "assistant.cli.simulate", "simulate", "Render photos of simulated tables, with their truth."
    ),
    "match": CommandPlace("assistant.cli.match", "match", "List, export and import whole matches."),
    "replay": CommandPlace("assistant.cli.replay", "replay", "A saved match at any moment, checked again."),
    "strip": CommandPlace("assistant.cli.strip", "strip", "Find an LED strip and try it out."),
    "sheets": CommandPlace("assistant.cli.sheets", "sheets", "Markers, lens board, rings and tiles to print."),
    "lens": CommandPlace("assistant.cli.lens", "lens", "Work out a camera's lens from pictures of the lens board."),
    "table": CommandPlace("assistant.cli.table", "table", "Work out where the markers lie from two or three photos."),
    "setup": CommandPlace("assistant.cli.setup", "setup", "Set up camera, table and game in the browser."),
    "teach": CommandPlace("assistant.cli.teach", "teach", "Teach tiles, figures and doors from photos."),
    "tileset": CommandPlace("assistant.cli.tileset", "tileset", "Export and import tile sets."),
    "profile": CommandPlace("assistant.cli.profile", "profile", "Keep a whole set-up by name, try it out, list all."),
    "backup": CommandPlace("assistant.cli.backup", "backup", "All cameras, tables and games in one file."),
    "restore": CommandPlace("assistant.cli.backup", "restore", "Bring back what a backup holds."),
    "demo": CommandPlace("assistant.cli.demo", "demo", "The whole system on a simulated table."),
    "run": CommandPlace("assistant.cli.run", "run", "The page for the real table."),
    "record": CommandPlace("assistant.cli.record", "record", "The same, with what the camera shows kept in a file."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        command: click.Command = getattr(import_module(place.module), place.attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the overview from the table alone, without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.summary) for name, place in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("sightline"), prog_name="sightline")
def cli() -> None:
    """Settle range, line of sight and cover from a photo of your own table."""


def main() -> None:
    """Runs the command line and exits with the status that the contract names."""
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """The exit status of one call of the command line."""
    try:
        result = cli.main(args=arguments, prog_name="sightline", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as problem:
        click.echo(problem.format_message(), err=True)
        return 2
    except click.ClickException as problem:
        _complain(_with_help(problem))
        return 2
    except click.Abort:
        _complain("stopped")
        return 130
    except SightlineError as problem:
        _complain(str(problem))
        return problem.exit_status
    except BrokenPipeError:
        # The reader of our output is gone (`| head`); nothing is left to say, not even at the flush on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CannotDo.exit_status
    return result if isinstance(result, int) else 0


def _with_help(problem: click.ClickException) -> str:
    """Click's sentence names what is wrong; what to do is told by the command's help."""
    context = getattr(problem, "ctx", None)
    command = context.command_path if context else "sightline"
    return f"{problem.format_message().rstrip('.')}; {command} --help tells what it takes"


def _complain(message: str) -> None:
    """One sentence on standard error, whatever line breaks came with it."""
    click.echo("sightline: " + " ".join(message.split()), err=True)
