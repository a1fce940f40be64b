"""The command line: exit status 0 done, 1 could not be done, 2 bad arguments or a bad input file.

With 1 and 2, standard output is empty, or cut short by a full disk, and standard error holds one sentence. A command's
module is imported only when the command is called, so ``sightline rule`` runs without loading cv2 or Flask.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version

import click

from assistant.cli import language
from assistant.errors import CannotDo, SightlineError
from assistant.translations.messages import message, said

COMMANDS: Mapping[str, tuple[str, str]] = {
    "detect": ("detect", message("Read a photo of the table.")),
    "rule": ("rule", message("Rule on range, line of sight and cover between figures.")),
    "reach": ("reach", message("List the spaces where a figure may end its move.")),
    "whatif": ("reach", message("Map the spaces from which a figure would have line of sight.")),
    "about": ("about", message("List the effects of a table without a grid on one figure.")),
    "odds": ("odds", message("Compute the exact odds of an attack.")),
    "rules": ("rules", message("List the rules of a game, their sources and its house options.")),
    "simulate": ("simulate", message("Render photos of simulated tables with their ground truth.")),
    "match": ("match", message("List, export, import and check whole matches.")),
    "replay": ("replay", message("Show a saved match at any event and verify it.")),
    "verify": ("verify", message("Verify the evidence of a judge call.")),
    "strip": ("strip", message("Find an LED strip and test it.")),
    "sheets": ("sheets", message("Write the sheets to print: markers, lens board, rings, tiles.")),
    "lens": ("lens", message("Calibrate a camera's lens from pictures of the lens board.")),
    "table": ("table", message("Locate the table's markers from two or three photos.")),
    "setup": ("running", message("Set up camera, table and game in the browser.")),
    "teach": ("teach", message("Teach tiles, figures and doors from photos.")),
    "tileset": ("tileset", message("List, export and import tile sets.")),
    "profile": ("profile", message("Save, try out and list whole set-ups.")),
    "backup": ("backup", message("Write all cameras, tables and games into one file.")),
    "restore": ("backup", message("Restore a backup.")),
    "demo": ("running", message("Try the whole system on a simulated table.")),
    "run": ("running", message("Open the page for the real table.")),
    "owner": ("owning", message("Print another owner link for the running table.")),
    "exchange": ("exchange", message("Convert boards to and from virtual tabletop maps.")),
    "tournament": ("tournament", message("Create the files for a tournament of many tables.")),
    "desk": ("desk", message("Show every table of a tournament on one page.")),
    "doctor": ("doctor", message("Check what is installed and plugged in.")),
    "diagnostics": ("doctor", message("Write the doctor's findings and the set-up into one file.")),
    "report": ("report", message("Report a wrong reading as one file.")),
    "record": ("running", message("Open the page for the real table and record the camera.")),
}
"""Each command's module and its line in the overview, in the order in which a user meets them."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        return language.speaks(getattr(import_module(f"assistant.cli.{module}"), cmd_name))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the called command, or fail with the names closest to an unknown one.

        Click itself would search the imported commands, and none is imported.
        """
        near = get_close_matches(args[0], COMMANDS)
        if args[0] not in COMMANDS and near:
            others = ", ".join(map(repr, near))
            asked = f"Did you mean {others}?" if len(near) == 1 else f"(Did you mean one of: {others}?)"
            ctx.fail(f"No such command {args[0]!r}. {asked}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("sightline"), prog_name="sightline")
@click.option(
    "--lang",
    metavar="LANGUAGE",
    is_eager=True,
    expose_value=False,
    callback=language.chosen,
    help="The language of help and errors; also set by SIGHTLINE_LANG. Default: the system's.",
)
def cli() -> None:
    """Settle range, line of sight and cover from a photo of your own table."""


language.speaks(cli)


def main() -> None:
    """Run the command line and exit with its status."""
    # NumPy's products are small here. A second thread for each would spend a quarter of a photo's time waiting.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    speak_utf8(sys.stdout, sys.stderr)
    sys.exit(run())


def speak_utf8(*streams: object) -> None:
    """Make streams accept every sentence, whatever the system's code page.

    Files and pipes get UTF-8, because JSON requires it and Windows would write its old code page. A terminal keeps its
    encoding and shows a question mark for characters that it lacks.
    """
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def run(arguments: list[str] | None = None) -> int:
    """Run one call of the command line and return its exit status."""
    try:
        result = cli.main(args=arguments, prog_name="sightline", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as problem:
        click.echo(problem.format_message(), err=True)
        return 2
    except click.ClickException as problem:
        _complain(language.worded(language.usage_sentence(problem)))
        return 2
    except click.Abort:
        _complain(language.worded(said("Stopped.")))
        return 130
    except SightlineError as problem:
        _complain(problem.worded(language.reader_language()))
        return problem.exit_status
    except OSError as problem:
        # Errors of named files are SightlineErrors by now. What is left is our output: its reader is gone (`| head`),
        # or its disk is full.
        is_unread = isinstance(problem, BrokenPipeError)
        if not is_unread and problem.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        # Otherwise Python would complain about the flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not is_unread:
            full = said("The disk is full, so the output is cut short. Free some space and try again.")
            _complain(language.worded(full))
        return CannotDo.exit_status
    finally:
        language.forget()
    return result if isinstance(result, int) else 0


def _complain(sentence: str) -> None:
    click.echo("sightline: " + " ".join(sentence.split()), err=True)
