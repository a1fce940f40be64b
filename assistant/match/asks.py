"""What a person is asked to make a command whole: one field after the other, each with what it may be.

A question says of what kind its answers are, so that a page can have them tapped where they lie: figures and spaces on
the picture of the table, cards in the hand, everything else in a list. The value of an answer is the whole field of the
command; whoever asks needs to know nothing about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, Protocol

from msgspec import Struct

from assistant.match.audience import Audience
from assistant.match.game import Cells, GameState, GameT, Name
from assistant.rules.reasons import Rule
from assistant.translations.messages import SILENCE, Said, as_told, named, said

Command = Mapping[str, Any]
"""A command as far as it is chosen: its ``type`` and its fields."""

AskKind = Literal["figure", "spaces", "place", "door", "card", "thing", "number", "words"]


class Cited(Struct, frozen=True, kw_only=True):
    """A rule as readers are shown it: its id, where it stands, and what it says."""

    id: Name
    source: Said
    says: Said


class Token(Protocol):
    """What lies on a space of the board and has a name."""

    @property
    def id(self) -> str:
        """What it is called."""

    @property
    def cell(self) -> tuple[int, int]:
        """Where it lies."""


class Pick(Struct, frozen=True, kw_only=True):
    """One answer that the rules allow.

    Args:
        value: what the field of the command becomes.
        text: the answer in words; silent for spaces, which are called as they stand along the board.
        figure: the figure that it is, to be tapped on the table.
        cells: the spaces that it is.
        cost: the points of movement that it takes.
        fills: other fields that it fills, too, so that one tap answers two questions.
    """

    value: Any
    text: Said = SILENCE
    figure: str | None = None
    cells: Cells = ()
    cost: int | None = None
    fills: Mapping[str, Any] = {}


class Ask(Struct, frozen=True, kw_only=True):
    """A question to whoever gives a command.

    Args:
        field: the field that the answer fills.
        kind: what the answers are; a ``place`` is a point of a table without cells, in millimetres.
        text: the question.
        picks: the answers; none for a place and words, which a person tells, and of numbers those that are usual.
        least: how many of the picks are taken at least.
        most: how many at most; the values of several are lists, which are put one behind the other.
        value: what a number is unless somebody changes it.
        may_skip: whether it may be left as it is; the field then becomes ``skipped``.
        skipped: what the field becomes by that.
        skip_text: what leaving it means.
        goes_on: whether the field is asked for again and again, until the game has no question about it any more.
        refusal: why nobody can answer that here.
    """

    field: Name
    kind: AskKind
    text: Said
    picks: tuple[Pick, ...] = ()
    least: int = 1
    most: int = 1
    value: int = 0
    may_skip: bool = False
    skipped: Any = None
    skip_text: Said | None = None
    goes_on: bool = False
    refusal: Said | None = None


@dataclass(frozen=True, slots=True)
class Draft(Generic[GameT]):
    """A command as far as it is chosen, in the match of this moment, for one reader.

    Nothing that is hidden from ``audience`` may be an answer. ``fields`` holds the type, and may hold the field that is
    asked about, which matters to questions that go on.
    """

    game: GameT
    fields: Mapping[str, Any]
    audience: Audience


class Asks(NamedTuple):
    """What a step asks about one of its fields: ``card: Annotated[Name, Asks(own_card)]``.

    ``question`` gives None where nothing is asked, or the type of the field says it all.
    """

    question: Callable[[Draft[Any]], Ask | None]


class Way(Struct, frozen=True, kw_only=True):
    """How far a command has come: its fields so far, and what is asked next or why the rules refuse it as it is."""

    type: Name
    fields: dict[str, Any]
    ask: Ask | None = None
    certain: tuple[Said, ...] = ()
    """The answers that were chosen without a question, because nothing else was possible."""
    refusal: Said | None = None
    rule: Cited | None = None
    """The rule that refuses it, where one does."""
    takes_path: bool = False
    """Whether it may be told by which places a way without spaces leads."""
    has_dice: bool = False
    """Whether it rolls dice, which people may throw themselves instead."""


class Deed(Struct, frozen=True, kw_only=True):
    """A command that the rules allow now besides what is prompted."""

    type: Name
    text: Said
    is_by_hand: bool = False
    """Whether it sets something right rather than being played."""


def cite(rule: Rule) -> Cited:
    """The rule for a reader."""
    return Cited(id=rule.id, source=said(rule.source), says=said(rule.summary))


def ask_thing(field: str, text: Said, picks: Iterable[tuple[Any, Said]]) -> Ask:
    """A question whose answers stand in a list."""
    listed = tuple(Pick(value=value, text=words) for value, words in picks)
    return Ask(field=field, kind="thing", text=text, picks=listed)


def ask_card(field: str, cards: Iterable[tuple[Any, Said]], *, least: int = 1, most: int = 1) -> Ask:
    """A question about cards of the own hand."""
    text = said("Which card?") if most == 1 else said("Which cards?")
    listed = tuple(Pick(value=value, text=words) for value, words in cards)
    return Ask(field=field, kind="card", text=text, picks=listed, least=least, most=most)


def ask_figure(field: str, text: Said, names: Iterable[str]) -> Ask:
    """A question about one of these figures, which is tapped on the table."""
    picks = tuple(Pick(value=name, text=named([name]), figure=name) for name in names)
    return Ask(field=field, kind="figure", text=text, picks=picks)


def ask_token(field: str, text: Said, tokens: Iterable[Token]) -> Ask:
    """A question about one of these tokens, which is tapped where it lies."""
    picks = tuple(Pick(value=token.id, text=named([token.id]), cells=(token.cell,)) for token in tokens)
    return Ask(field=field, kind="spaces", text=text, picks=picks)


def ask_item(tokens: Iterable[Token]) -> Ask:
    """A question about a token that is picked up."""
    return ask_thing("item", said("Which token?"), ((token.id, named([token.id])) for token in tokens))


def ask_number(field: str, text: Said, usual: Iterable[int], *, value: int | None = None) -> Ask:
    """A question about a number: the usual ones are answers of one tap, any other one is told.

    Args:
        field: the field that it fills.
        text: the question.
        usual: the numbers that are offered, in their order.
        value: what it is unless somebody changes it; without it the first of the usual ones.
    """
    picks = tuple(Pick(value=number, text=as_told(str(number))) for number in usual)
    return Ask(field=field, kind="number", text=text, picks=picks, value=picks[0].value if value is None else value)


def ask_change(field: str, text: Said, changes: Iterable[int]) -> Ask:
    """A question about by how much something is more or less."""
    return ask_thing(field, text, ((change, as_told(f"{change:+d}" if change else "0")) for change in changes))


def ask_range(game: GameState) -> Ask | None:
    """How far it is, which nobody has to tell where a table was seen."""
    return None if game.ground else ask_number("range", said("How many spaces away?"), range(1, 9))


def hide_cards(field: str, side: str) -> Ask:
    """The question about a hand that whoever asks may not see."""
    refusal = said("The hand of “{side}” is shown on a device of that side alone; choose the card there", side=side)
    return Ask(field=field, kind="card", text=said("Which card?"), refusal=refusal)
