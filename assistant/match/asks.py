"""Questions that complete a command field by field, each with its possible answers.

A question names the kind of its answers, so that a page can show them in place: figures and spaces on the picture of
the table, cards in the hand, everything else in a list. An answer's value is the whole field of the command. The page
never interprets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from assistant.match.audience import Audience
from assistant.match.game import Cells, GameState, GameT, Name
from assistant.rules.reasons import Rule
from assistant.translations.messages import SILENCE, Said, named, said, verbatim

AskKind = Literal["figure", "spaces", "place", "door", "card", "thing", "number", "words"]


class Cited(Struct, frozen=True, kw_only=True):
    """A rule for readers: its id, its source, and its sentence."""

    id: Name
    source: Said
    says: Said


class Token(Protocol):
    """A named token on a space of the board. Each game declares its own."""

    @property
    def id(self) -> str: ...

    @property
    def cell(self) -> tuple[int, int]: ...


class Pick(Struct, frozen=True, kw_only=True):
    """One answer that the rules allow.

    Args:
        value: the new value of the command's field.
        text: the answer in words, or empty for spaces, whose names stand along the edge of the board.
        figure: the figure to tap.
        cells: the spaces to tap.
        cost: its cost in points of movement.
        fills: other fields that it fills, so that one tap answers two questions.
        note: background to the answer, such as the distance of a target.
    """

    value: Any
    text: Said = SILENCE
    figure: str | None = None
    cells: Cells = ()
    cost: int | None = None
    fills: Mapping[str, Any] = {}
    note: Said | None = None


class Ask(Struct, frozen=True, kw_only=True):
    """A question about one field of a command.

    Args:
        field: the field that the answer fills.
        kind: the kind of the answers; a ``place`` is a point of a table without cells, in millimetres.
        text: the question.
        picks: the answers. None for a place or words, which people enter. The usual ones for a number.
        least: the least number of picks to take.
        most: the greatest number. If it exceeds 1, the values are lists, which the page joins.
        value: the default of a number.
        reach_mm: the greatest distance of a place from the figure's centre, or None without such a rule.
        may_skip: whether people may skip it; the field then becomes ``skipped``.
        skipped: the value of a skipped field.
        skip_text: the meaning of skipping in words.
        is_measured: whether skipping means that people measured a place themselves.
        goes_on: whether it repeats for the same field until the game has no further question.
        refusal: why nobody can answer it here.
        hidden_of: the only side that sees the answers.
        note: one line with the basis of the answer: the known values, and the rule's owner.
    """

    field: Name
    kind: AskKind
    text: Said
    picks: tuple[Pick, ...] = ()
    least: int = 1
    most: int = 1
    value: int = 0
    reach_mm: float | None = None
    may_skip: bool = False
    skipped: Any = None
    skip_text: Said | None = None
    is_measured: bool = False
    goes_on: bool = False
    refusal: Said | None = None
    hidden_of: Name | None = None
    note: Said | None = None


@dataclass(frozen=True, slots=True)
class Draft(Generic[GameT]):
    """An unfinished command in the match of this moment, for one reader.

    No answer may show what is hidden from ``audience``. ``fields`` holds the type and the chosen fields. For a question
    that goes on, it also holds the field in question.
    """

    game: GameT
    fields: Mapping[str, Any]
    audience: Audience


class Asks(NamedTuple):
    """The question of a step about one of its fields: ``card: Annotated[Name, Asks(own_card)]``.

    ``question`` returns None if no question is needed, or if the field's type is enough.
    """

    question: Callable[[Draft[Any]], Ask | None]


class Way(Struct, frozen=True, kw_only=True):
    """The state of an unfinished command: its fields so far, and the next question or the objection of the rules."""

    type: Name
    fields: dict[str, Any]
    ask: Ask | None = None
    certain: tuple[Said, ...] = ()
    """Answers without an alternative, filled in without a question."""
    refusal: Said | None = None
    rule: Cited | None = None
    """The rule that refuses it."""
    takes_path: bool = False
    """Whether people may enter the turning points of a path on a table without spaces."""
    has_dice: bool = False
    """Whether it rolls dice; people may throw their own instead."""


class Action(Struct, frozen=True, kw_only=True):
    """A command that the rules allow now without a prompt."""

    type: Name
    text: Said
    is_by_hand: bool = False
    """Whether it is a correction by hand."""


def cite(rule: Rule) -> Cited:
    """Return the rule in its form for readers."""
    return Cited(id=rule.id, source=said(rule.source), says=said(rule.summary))


def ask_place(text: Said | None = None, reach_mm: float | None = None, skip_text: Said | None = None) -> Ask:
    """Ask for a figure's place on a table without cells; ``skip_text`` names the outcome without a place."""
    is_measured = skip_text is None
    without = said("No place: we measured it ourselves") if skip_text is None else skip_text
    where = said("Where to?") if text is None else text
    asked = Ask(field="center_mm", kind="place", text=where, reach_mm=reach_mm, may_skip=True, skip_text=without)
    return replace(asked, is_measured=is_measured)


def ask_thing(field: str, text: Said, picks: Iterable[tuple[Any, Said]]) -> Ask:
    """Ask a question with its answers in a list."""
    listed = tuple(Pick(value=value, text=words) for value, words in picks)
    return Ask(field=field, kind="thing", text=text, picks=listed)


def ask_card(field: str, cards: Iterable[tuple[Any, Said]], *, least: int = 1, most: int = 1) -> Ask:
    """Ask for cards of the reader's own hand."""
    text = said("Which card?") if most == 1 else said("Which cards?")
    listed = tuple(Pick(value=value, text=words) for value, words in cards)
    return Ask(field=field, kind="card", text=text, picks=listed, least=least, most=most)


def ask_figure(field: str, text: Said, names: Iterable[str]) -> Ask:
    """Ask for one of these figures, tapped on the table."""
    picks = tuple(Pick(value=name, text=named([name]), figure=name) for name in names)
    return Ask(field=field, kind="figure", text=text, picks=picks)


def ask_token(field: str, text: Said, tokens: Iterable[Token]) -> Ask:
    """Ask for one of these tokens, tapped on its space."""
    picks = tuple(Pick(value=token.id, text=named([token.id]), cells=(token.cell,)) for token in tokens)
    return Ask(field=field, kind="spaces", text=text, picks=picks)


def ask_item(tokens: Iterable[Token]) -> Ask:
    """Ask which token to pick up."""
    return ask_thing("item", said("Which token?"), ((token.id, named([token.id])) for token in tokens))


def ask_number(field: str, text: Said, usual: Iterable[int], *, value: int | None = None) -> Ask:
    """Ask for a number: one tap for a ``usual`` one, typing for any other.

    ``value`` is the default; without it the default is the first usual one.
    """
    picks = tuple(Pick(value=number, text=verbatim(str(number))) for number in usual)
    return Ask(field=field, kind="number", text=text, picks=picks, value=picks[0].value if value is None else value)


def ask_change(field: str, text: Said, changes: Iterable[int]) -> Ask:
    """Ask for a signed change."""
    return ask_thing(field, text, ((change, verbatim(f"{change:+d}" if change else "0")) for change in changes))


def ask_range(game: GameState) -> Ask | None:
    """Ask for the range, or None once the match has seen the table."""
    return None if game.ground else ask_number("range", said("How many spaces away?"), range(1, 9))


def hide_cards(field: str, side: str) -> Ask:
    """Ask about a hand that this reader may not see."""
    refusal = said("The hand of “{side}” is shown on a device of that side alone; choose the card there", side=side)
    return Ask(field=field, kind="card", text=said("Which card?"), refusal=refusal, hidden_of=side)
