"""The command line: exit status 0 done, 1 could not be done, 2 bad arguments or a bad input file.

With 1 and 2 nothing stands on standard output and one plain sentence on standard error. Each command
lives in a module of its own that is imported only when it is called, so that ``sightline rule``
answers without loading cv2 or Flask.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from typing import NamedTuple

import click

from assistant.cli import language
from assistant.errors import CannotDo, SightlineError
from assistant.translations.messages import message, said


class CommandPlace(NamedTuple):
    """Where a command is implemented, and its line in the overview."""

    module: str
    attribute: str
    summary: str


COMMANDS: Mapping[str, CommandPlace] = {
    "detect": CommandPlace("assistant.cli.detect", "detect", message("Read a photo of the table.")),
    "rule": CommandPlace("assistant.cli.rule", "rule", message("Range, line of sight and cover between figures.")),
    "reach": CommandPlace("assistant.cli.reach", "reach", message("Where a figure may end its move.")),
    "whatif": CommandPlace(
        "assistant.cli.whatif", "whatif", message("A map of the board: from where a figure would see.")
    ),
    "about": CommandPlace("assistant.cli.about", "about", message("What a table without a grid means for one figure.")),
    "odds": CommandPlace("assistant.cli.odds", "odds", message("The exact chances of an attack.")),
    "rules": CommandPlace(
        "assistant.cli.rules", "rules", message("The rules of a game, their sources and the house options.")
    ),
    "simulate": CommandPlace(
        "assistant.cli.simulate", "simulate", message("Render photos of simulated tables, with their truth.")
    ),
    "match": CommandPlace("assistant.cli.match", "match", message("List, export, import and judge whole matches.")),
    "replay": CommandPlace("assistant.cli.replay", "replay", message("A saved match at any moment, checked again.")),
    "verify": CommandPlace("assistant.cli.verify", "verify", message("Check the evidence of a judge's call.")),
    "strip": CommandPlace("assistant.cli.strip", "strip", message("Find an LED strip and try it out.")),
    "sheets": CommandPlace("assistant.cli.sheets", "sheets", message("Markers, lens board, rings and tiles to print.")),
    "lens": CommandPlace(
        "assistant.cli.lens", "lens", message("Work out a camera's lens from pictures of the lens board.")
    ),
    "table": CommandPlace(
        "assistant.cli.table", "table", message("Work out where the markers lie from two or three photos.")
    ),
    "setup": CommandPlace("assistant.cli.setup", "setup", message("Set up camera, table and game in the browser.")),
    "teach": CommandPlace("assistant.cli.teach", "teach", message("Teach tiles, figures and doors from photos.")),
    "tileset": CommandPlace("assistant.cli.tileset", "tileset", message("Export and import tile sets.")),
    "profile": CommandPlace(
        "assistant.cli.profile", "profile", message("Keep a whole set-up by name, try it out, list all.")
    ),
    "backup": CommandPlace("assistant.cli.backup", "backup", message("All cameras, tables and games in one file.")),
    "restore": CommandPlace("assistant.cli.backup", "restore", message("Bring back what a backup holds.")),
    "demo": CommandPlace("assistant.cli.demo", "demo", message("The whole system on a simulated table.")),
    "run": CommandPlace("assistant.cli.running", "run", message("The page for the real table.")),
    "owner": CommandPlace("assistant.cli.owning", "owner", message("One more link to own the table that runs.")),
    "exchange": CommandPlace(
        "assistant.cli.exchange", "exchange", message("Boards to and from the maps of virtual tabletops.")
    ),
    "tournament": CommandPlace(
        "assistant.cli.tournament", "tournament", message("What a tournament of many tables begins with.")
    ),
    "desk": CommandPlace("assistant.cli.desk", "desk", message("Every table of a tournament on one page.")),
    "doctor": CommandPlace(
        "assistant.cli.doctor", "doctor", message("What is installed and plugged in, and what is wrong.")
    ),
    "diagnostics": CommandPlace(
        "assistant.cli.doctor", "diagnostics", message("The same and the set-up in one file, for a report of a fault.")
    ),
    "report": CommandPlace(
        "assistant.cli.report", "report", message("A reading that was wrong, in one file, for who mends it.")
    ),
    "record": CommandPlace(
        "assistant.cli.record", "record", message("The same, with what the camera shows kept in a file.")
    ),
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
        return language.speaks(getattr(import_module(place.module), place.attribute))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; of a name that is none, those that are most like it are told.

        Click itself looks for them among commands that are imported, and none is.
        """
        near = get_close_matches(args[0], COMMANDS)
        if args[0] not in COMMANDS and near:
            others = ", ".join(map(repr, near))
            asked = f"Did you mean {others}?" if len(near) == 1 else f"(Did you mean one of: {others}?)"
            ctx.fail(f"No such command {args[0]!r}. {asked}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the overview from the table alone, without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.summary) for name, place in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("sightline"), prog_name="sightline")
@click.option(
    "--lang",
    metavar="LANGUAGE",
    is_eager=True,
    expose_value=False,
    callback=language.chosen,
    help="The language of help and errors; SIGHTLINE_LANG sets it, too. Default: the system's.",
)
def cli() -> None:
    """Settle range, line of sight and cover from a photo of your own table."""


language.speaks(cli)


def main() -> None:
    """Runs the command line and exits with the status that the contract names."""
    # NumPy's products are small here: a second thread for each waits more than it works, a quarter of a photo's time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """The exit status of one call of the command line."""
    language.forget()
    try:
        result = cli.main(args=arguments, prog_name="sightline", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as problem:
        click.echo(problem.format_message(), err=True)
        return 2
    except click.ClickException as problem:
        _complain(language.worded(language.usage_sentence(problem)))
        return 2
    except click.Abort:
        _complain(language.worded(said("stopped")))
        return 130
    except SightlineError as problem:
        _complain(problem.worded(language.reader_language()))
        return problem.exit_status
    except BrokenPipeError:
        # The reader of our output is gone (`| head`); nothing is left to say, not even at the flush on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CannotDo.exit_status
    return result if isinstance(result, int) else 0


def _complain(message: str) -> None:
    """One sentence on standard error, whatever line breaks came with it."""
    click.echo("sightline: " + " ".join(message.split()), err=True)
