"""The order of a round, a turn, an activation and an attack of each game, drawn from the engine into ``ORDER.md``.

A game hands in a short match as a script, ``order_NAME.py``: its commands in their order, each with the sentence of the
source that puts it there. Everything else in the page is what the engine says while it plays them: what happened, who
decides it, who is asked before, and whether the command would have been allowed one line earlier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from loading import beside

from assistant.errors import InputError
from assistant.match.actor import JUDGE
from assistant.match.chance import Chance
from assistant.match.game import GameState, Step
from assistant.match.session import Session
from assistant.translations.messages import named

HERE = Path(__file__).parent
GAMES = HERE.parents[1] / "assistant" / "games"
SCRIPTS = {
    path.stem.removeprefix("order_"): path.stem for path in sorted(HERE.glob("order_*.py")) if path != Path(__file__)
}
"""The script of each game, by the game."""


class Line(NamedTuple):
    """A command of the script, with its source sentence; a ``part`` begins a section of the page."""

    sentence: str
    type: str
    fields: dict[str, Any] = {}  # noqa: RUF012 - a constant
    part: str = ""


class Row(NamedTuple):
    """A line of the page, all of it from the engine but the sentence."""

    part: str
    what: str
    command: str
    decides: str
    asked: str
    earlier: str
    sentence: str


def play(session: Session, lines: Sequence[Line]) -> Iterator[Row]:
    """Play a script and yield each line's result.

    Raises:
        InputError: the engine refuses a line, so it is in the wrong order.
    """
    before: GameState | None = None
    for line in lines:
        game, raw = session.timeline.game, {"type": line.type, **line.fields}
        step = session.system.command(raw)
        assert isinstance(step, Step)
        asked = "; ".join(f"{named([one.side])}: {one.text}" for one in type(step).moments(game))
        earlier = before is not None and is_allowed(before, step)
        side = step.side(game)
        receipt = session.command(raw, JUDGE)
        before = game
        yield Row(
            line.part,
            str(receipt.title),
            line.type,
            str(named([side])) if side else "anyone",
            asked,
            "yes" if earlier else "no",
            line.sentence,
        )


def is_allowed(game: GameState, step: Step[Any]) -> bool:
    try:
        step.settle(game, Chance("earlier")).check(game)
    except InputError:
        return False
    return True


def draw(game: str, build: ModuleType) -> str:
    """Return the whole page of a game."""
    script = beside(__file__, SCRIPTS[game])
    match = script.begin(build)
    text = [
        f"# The order of play: {script.TITLE}",
        "",
        "Drawn from the engine by `make order`, which plays a short match: each row is one command of it.",
        "*Decides*: the side whose decision it is. *Asked first*: who may still answer before it. *Earlier*: whether",
        "the engine would have allowed it before the row above.",
    ]
    for number, row in enumerate(play(match.session, script.LINES), 1):
        if row.part:
            head = "| # | what happens | command | decides | asked first | earlier | sentence of the source |"
            text += ["", f"## {row.part}", "", head, "| --- | --- | --- | --- | --- | --- | --- |"]
        cells = (str(number), row.what, f"`{row.command}`", row.decides, row.asked or "–", row.earlier, row.sentence)
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text) + "\n"


def page_of(game: str) -> Path:
    return GAMES / game / "ORDER.md"
