"""Names of a match's figures, kinds, sides and tokens, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assistant.match.game import GameState
from assistant.match.ground import table_of
from assistant.table.board import Board
from assistant.table.cell_names import CellNames
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import message
from assistant.translations.speech import Speech

SIDES = ("marines", "invader", "demons")
"""Sides named in the rules. Every page has words for them."""

MARK_WORDS: Mapping[str, str] = {
    "stunned": message("stunned"),
    "staggered": message("staggered"),
    "class exhausted": message("class card used"),
    "invasion": message("invasion"),
    "aim": message("aims"),
    "dodge": message("dodges"),
    "guard": message("on guard"),
    "heal": message("heals"),
    "leader": message("leader"),
    "down": message("knocked down"),
    "fleeing": message("flees"),
    "watch": message("on overwatch"),
    "camouflaged": message("camouflaged"),
    "charged": message("charged"),
    "ran": message("ran"),
    "moved": message("moved"),
    "shot": message("shot"),
    "still": message("stood still"),
    "afraid": message("afraid"),
    "terrified": message("terrified"),
    "dulled": message("stupid this turn"),
    "frenzied": message("in frenzy"),
    "prone": message("prone"),
    "rooted": message("moves no more"),
    "shuffling": message("shuffles on"),
    "fallen": message("fell"),
    "jumped": message("attacks out of a jump"),
    "emerged": message("came out of hiding"),
    "fear": message("causes fear"),
    "terror": message("causes terror"),
}
"""The words for every token beside a figure."""


def collect_names(view: Mapping[str, Any], order: Iterable[Mapping[str, Any]], speech: Speech) -> dict[str, str]:
    """Return the names of figures, kinds and sides in the view, by id, without hidden ones."""
    figures = [figure for figure in view["figures"] if isinstance(figure, Mapping)]
    ids = {str(figure[field]) for figure in figures for field in ("id", "kind")} | {str(e["name"]) for e in order}
    ids |= {str(blow["figure"]) for blow in (view["happened"] or {"blows": ()})["blows"]}  # recently killed figures
    sides = {str(figure["side"]) for figure in figures} | set(SIDES)
    return {one: speak_id(one, speech.language) for one in ids | sides}


def collect_marks(view: Mapping[str, Any], speech: Speech) -> dict[str, str]:
    """Return the words for the tokens beside figures."""
    marks = {str(mark) for figure in view["figures"] for mark in figure["marks"]} | {"staggered"}
    return {mark: speech.text(MARK_WORDS[mark]) if mark in MARK_WORDS else mark for mark in marks}


def name_spaces(ask: dict[str, Any], game: GameState) -> dict[str, Any]:
    """Return the question with a name for every space in its answers."""
    if ask["kind"] != "spaces" or not ask["picks"]:
        return ask
    board = table_of(game)
    if not isinstance(board, Board):
        return ask
    names = CellNames.of(board)
    picks = [{**pick, "text": pick["text"] or names.short(tuple(pick["cells"][0]))} for pick in ask["picks"]]
    return {**ask, "picks": picks}
