"""Rulings: an answer with its deciding lines and the rules behind it.

Whatever changes the answer **flips** it: a `Change` of the table, or a `Flip`, which is a doubt of the camera.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from assistant.table.lattice import Cell, Edge
from assistant.translations.messages import message

LinePoint = tuple[int, int] | tuple[float, float]
"""A lattice point, with half points as floats if a rule uses cell centres; millimetres on a free table."""

Purpose = Literal["sight", "cover"]
FlipKind = Literal["move", "remove", "add", "kind", "no-door", "door", "several", "ground"]
BlockerKind = Literal["wall", "obstacle", "impassable", "difficult", "door", "figure", "cell", "terrain", "range"]

ShotVerdict = Literal["clear", "cover", "blocked"]

HEADLINES: Mapping[ShotVerdict, str] = {
    "clear": message("Clear shot"),
    "cover": message("Shot into cover"),
    "blocked": message("No line of sight"),
}
"""The headline of an answer, by its verdict."""


class Verdict(NamedTuple):
    """The bare answer for one pair, without its reasons."""

    range: int | float | None
    line_of_sight: bool
    cover: bool | None


@dataclass(frozen=True, slots=True)
class Blocker:
    """The cause that stops a line: an edge, a door or figure by its id, or a cell."""

    kind: BlockerKind
    edge: Edge | None = None
    id: str | None = None
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class SightLine:
    """One traced line; ``blocked_by`` is None for a clear one."""

    start: LinePoint
    end: LinePoint
    purpose: Purpose
    blocked_by: Blocker | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """A place that the attacker may look from, with the answer from there.

    Args:
        place: a corner or the centre of a cell under the attacker.
        line_of_sight: whether any line from it is clear.
        cover: whether the defender has cover from it, or None without sight or in games without cover.
        targets: the ends of the clear lines from it.
    """

    place: LinePoint
    line_of_sight: bool
    cover: bool | None
    targets: tuple[LinePoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of the decision.

    Args:
        rule: the id of its rule, as in ``toy/range``.
        text: the sentence.
        arguments: the values of its fields: numbers, names, places as lists, blockers as in the ruling document.
        phrase: the name of the rule's sentence; with the arguments it gives the text in any language.
    """

    rule: str
    text: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A single change of the table that flips an answer.

    Args:
        kind: the change.
        subject: the door or figure, or None for terrain.
        cells: the cells of the figure after it, or the cleared cell.
        edge: the removed printed edge, if that is the change.
        flips: the answer that it flips.
        becomes: the resulting answer.
    """

    kind: Literal["open-door", "close-door", "move", "remove", "clear-cell", "remove-edge"]
    subject: str | None
    cells: tuple[Cell, ...]
    edge: Edge | None
    flips: Literal["line_of_sight", "cover"]
    becomes: bool


@dataclass(frozen=True, slots=True)
class Flip:
    """A doubt of the camera that flips the answer.

    Args:
        kind: a figure in another place (``move``), absent (``remove``), present (``add``), or of another kind or side
          (``kind``); no door (``no-door``) or a door (``door``); several of these (``several``); other tiles or none
          (``ground``).
        subjects: the figures, doors or tiles in doubt.
        cells: the cells of the figure in that case, the two beside the door, or those of the ground.
        chance: its probability.
        range: the resulting range.
        line_of_sight: whether there is sight in that case, or None if one of the two figures is absent.
        cover: whether there is cover in that case.
    """

    kind: FlipKind
    subjects: tuple[str, ...]
    cells: tuple[Cell, ...]
    chance: float
    range: int | float | None
    line_of_sight: bool | None
    cover: bool | None


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether the attacker may attack the defender, and why.

    ``options`` holds the house options that this answer rests on. ``changes`` of the table flip it, if requested.
    ``stability`` and ``flips`` come from the doubts of a camera.
    """

    ruleset: str
    attacker: str
    defender: str
    range: int | float | None
    line_of_sight: bool
    cover: bool | None
    origin: LinePoint | None
    lines: tuple[SightLine, ...]
    reasons: tuple[Reason, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    distance_mm: float | None = None
    stability: float = 1.0
    origins: tuple[Origin, ...] = ()
    adjacent: bool | None = None
    changes: tuple[Change, ...] = ()
    flips: tuple[Flip, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return Verdict(self.range, self.line_of_sight, self.cover)

    def __str__(self) -> str:
        sight = "has line of sight" if self.line_of_sight else "has no line of sight"
        facts = [f"{self.attacker} {sight} to {self.defender}"]
        if self.range is not None:
            facts.append(f"range {self.range:g}")
        if self.cover is not None:
            facts.append("cover" if self.cover else "no cover")
        sure = f" ({self.stability:.0%} sure)" if self.stability < 1 else ""
        return f"{', '.join(facts)}{sure}."


@dataclass(frozen=True, slots=True)
class End:
    """A placement in which a move may end, and its least cost in points."""

    cost: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """Every placement in which a figure may end its move, ordered by cost, then by cells."""

    ruleset: str
    figure: str
    points: int
    ends: tuple[End, ...]


def verdict_of(ruling: Ruling | Verdict) -> ShotVerdict:
    """Return the one-word verdict of a ruling."""
    if not ruling.line_of_sight:
        return "blocked"
    return "cover" if ruling.cover else "clear"
