"""The state that every game extends, and its commands. Only a step changes the state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.errors import BadValue, CitedRule, IllegalStep, UnknownName
from assistant.match.chance import Chance
from assistant.rules.reasons import Rule
from assistant.rules.ruleset import AnyRules, CellRules, FreeRules
from assistant.table.lattice import LIMIT, Cell, is_rectangle
from assistant.translations.messages import SILENCE, Said, color_in_words, counted, listed, said

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=2_000)]
Count = Annotated[int, Meta(ge=0, le=1_000)]
PositiveCount = Annotated[int, Meta(ge=1, le=1_000)]
Integer = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)]
Cells = tuple[tuple[Integer, Integer], ...]
_Mm = Annotated[float, Meta(gt=-100_000, lt=100_000)]
PointMm = tuple[_Mm, _Mm]
"""A place on a table without a grid, in millimetres. The limit of a hundred metres exceeds any table."""

MARINES = "marines"
INVADER = "invader"


class Piece(Struct, frozen=True, kw_only=True):
    """A figure in play, in any game.

    ``cells`` is empty while the figure is not on the board (or the table has no grid). ``elevation_mm`` is its height
    over the table after a move changed the height in the picture. ``harm`` counts damage or wounds. ``marks`` are the
    tokens beside it (``stunned``, ``guard``, ``down``, …), sorted.
    """

    id: str
    kind: str
    side: str
    cells: tuple[Cell, ...] = ()
    center_mm: tuple[float, float] | None = None
    elevation_mm: float | None = None
    harm: int = 0
    marks: tuple[str, ...] = ()
    on_table: bool = True

    def marked(self, mark: str) -> Piece:
        """Return the figure with that token beside it."""
        return self if mark in self.marks else replace(self, marks=tuple(sorted((*self.marks, mark))))

    def unmarked(self, *marks: str) -> Piece:
        """Return the figure without those tokens."""
        left = tuple(mark for mark in self.marks if mark not in marks)
        return self if left == self.marks else replace(self, marks=left)

    def gone(self) -> Piece:
        """Return the figure off the table, without anything beside it."""
        return replace(self, cells=(), center_mm=None, elevation_mm=None, harm=0, marks=(), on_table=False)


class Mover(NamedTuple):
    """The acting figure and its remaining points of movement, or None if unknown."""

    figure: str | None = None
    movement: int | None = None


class ShownDie(NamedTuple):
    """A die on the table: its visible face, its colour if the game's dice have one, and its owner.

    ``words`` spells out a face that is no number. ``whose`` is a figure or a side.
    """

    face: str
    color: str = ""
    words: Said = SILENCE
    whose: str = ""


class GameState(Struct, frozen=True, kw_only=True):
    """The state of a match. Each game adds its own fields.

    ``ground`` is the document of the board or the free table as text, without its figures. It changes rarely, and text
    is cheap to compare and to store.
    """

    hides_box: ClassVar[tuple[str, ...]] = ()
    """The sides whose figures off the table are secret."""

    moves_by_side: ClassVar[bool] = False
    """Whether a side moves all of its figures in its turn, without a single acting figure."""

    options: Mapping[str, str] = {}
    round: int = 0
    pieces: Mapping[str, Piece] = {}
    ground: str = ""
    doors_open: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    """The moments that somebody has passed, by id, until the match changes (`Moment`)."""
    winner: str | None = None
    ending: Said = SILENCE

    @property
    def rules(self) -> AnyRules:
        """The rules of the match under its house options, of the game's own type."""
        raise NotImplementedError

    @property
    def has_grid(self) -> bool:
        """Whether the table is a board of cells, not a free table."""
        return isinstance(self.rules, CellRules)

    def piece(self, piece_id: str) -> Piece:
        """Return the figure of that name.

        Raises:
            UnknownName: the match holds no such figure.
        """
        try:
            return self.pieces[piece_id]
        except KeyError:
            raise unknown_figure(piece_id) from None

    def is_hidden_from(self, piece_id: str, side: str | None) -> bool:
        """Return whether a figure is still in the box of a side that keeps its box secret."""
        piece = self.pieces.get(piece_id)
        waits = piece is not None and not piece.on_table and piece.side in self.hides_box
        return waits and piece is not None and piece.side != side

    def standing(self, side: str | None = None) -> tuple[Piece, ...]:
        """Return the figures on the table, in the order of the roster, of one side or of all."""
        return tuple(p for p in self.pieces.values() if p.on_table and side in (None, p.side))

    def places_after(self, moved: Mapping[str, Cells]) -> list[Cell]:
        """Return the cells under all figures after some have moved; a cell under two figures appears twice."""
        staying = [cell for piece in self.standing() if piece.id not in moved for cell in piece.cells]
        return staying + [cell for cells in moved.values() for cell in cells]

    def in_passing(self) -> frozenset[str]:
        """Return the figures that may stand in a friend's cells now, in the middle of their move."""
        return frozenset()

    def has_room(self, moved: Mapping[str, Cells]) -> bool:
        """Return whether the moved figures share no cell with another figure."""
        taken = [cell for piece in self.standing() if piece.id not in moved for cell in piece.cells]
        new = [cell for cells in moved.values() for cell in cells]
        return len(set(new)) == len(new) and set(new).isdisjoint(taken)

    def require_sound(self) -> None:
        """Require that each figure has a full rectangle of cells, or a point, to itself.

        Only a figure in the middle of its move may share its cells, with a friend.

        Raises:
            IllegalStep: one does not. No board could show such a state, and no rule could answer for it.
        """
        taken: dict[tuple[float, float], str] = {}
        passing = self.in_passing()
        for piece in self.standing():
            cells = frozenset(piece.cells)
            whole = not piece.cells or (len(cells) == len(piece.cells) and is_rectangle(cells))
            require(whole, said("the cells of {figure} make no base; choose others", figure=piece.id))
            for place in cells if self.has_grid or piece.center_mm is None else (piece.center_mm,):
                other = taken.setdefault(place, piece.id)
                passes = not passing.isdisjoint((other, piece.id)) and self.piece(other).side == piece.side
                require(
                    other == piece.id or passes,
                    said("{figure} would stand on {other}; choose another place", figure=piece.id, other=other),
                )

    def with_piece(self, *pieces: Piece) -> Self:
        """Replace figures by name."""
        return replace(self, pieces={**self.pieces, **{piece.id: piece for piece in pieces}})

    def won_by(self, side: str, ending: Said) -> Self:
        """Return the game won by a side, or by nobody if it is empty. The first ending counts."""
        return self if self.winner is not None else replace(self, winner=side, ending=ending)

    def concluded(self) -> Self:
        """Return the game with its winner, if a side has met an objective of the game."""
        return self

    def mover(self) -> Mover:
        """Return the acting figure; an empty one if a whole side moves."""
        return Mover()

    def side_to_act(self) -> str | None:
        """Return the side with the running turn, or None while no side is to act."""
        return None

    def side_awaited(self) -> str | None:
        """Return the side that must answer now, whose clock runs: the defender's in the middle of an attack."""
        return self.side_to_act()

    def stage(self) -> Said | None:
        """Return a word for the current or next stage without an acting figure; None if the order of turns shows it."""
        return None

    def turn_name(self) -> str:
        """Return a name for the running turn. The turn clock restarts when it changes."""
        return str(self.side_to_act())


RulesT = TypeVar("RulesT", bound=CellRules | FreeRules)

MOST_RULES_KEPT = 16
"""Number of simultaneous matches under different options whose rules keep their caches."""


class KeptRules(Generic[RulesT]):
    """The rules of one game by its matches' options, each built once."""

    def __init__(self, rule_set: type[RulesT]) -> None:
        self._names = frozenset(option.name for option in rule_set.option_table)
        self._made = lru_cache(MOST_RULES_KEPT)(lambda options: rule_set(dict(options)))

    def under(self, options: Mapping[str, str]) -> RulesT:
        """Return the rules under the game's own options of a match."""
        return self._made(tuple(sorted((k, v) for k, v in options.items() if k in self._names)))


def unknown_figure(piece_id: str) -> UnknownName:
    """Return the error about a figure that does not exist, or must appear not to."""
    return UnknownName(said("there is no figure “{typed}” on the table; choose one that is listed", typed=piece_id))


GameT = TypeVar("GameT", bound=GameState)
Value = TypeVar("Value")


class Prompt(Struct, frozen=True, kw_only=True):
    """A command that a player may give now: its type, its words, and the deciding side.

    ``fields`` holds the known fields of the command. ``task`` describes it to the waiting side: “defend Ranger 2”. A
    prompt names nothing hidden. Prompts of a higher ``urgency`` come first; equal ones keep the order of the game's
    steps. ``note`` is one line of background: the sum of the damage, the effect of a card. If the command answers a
    ``question``, ``text`` is the answer alone.
    """

    type: Name
    text: Said
    task: Said | None = None
    note: Said | None = None
    question: Said | None = None
    side: str | None = None
    fields: dict[str, Any] = {}
    urgency: int = 0


class Moment(Struct, frozen=True, kw_only=True):
    """A chance to answer before a command closes something, such as a dodge before the damage.

    It follows from public facts alone: a question must not reveal the other side's hand.

    Args:
        id: its name among the open moments; two commands with the same id wait for one answer.
        side: the side that may answer.
        text: the question; it names who may answer.
        answers: the commands that answer, each with its known fields.
        figure: the figure whose player may answer, or None for anyone of the side.
        is_later: whether its question comes only after all others; a command still waits for it.
        note: the present state, such as the damage, for the deciding side.
        no: the outcome without an answer, as the words of a pass: “Bravo takes 2 damage”.
        clock: whether the side's clock runs until its answer: always, only on a device of its own, or never, because
            the others go on meanwhile.
    """

    id: Name
    side: Name
    text: Said
    answers: tuple[Mapping[str, Any], ...] = ()
    figure: Name | None = None
    is_later: bool = False
    note: Said | None = None
    no: Said | None = None
    clock: Literal["always", "own device", "never"] = "own device"


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """A command from people, the camera or the program, with its description for the page and the judges."""

    rule: ClassVar[Rule]
    """The rule that allows or refuses it."""

    label: ClassVar[Said | None] = None
    """Its name among the possible commands without a prompt, or None if it always has one."""

    on_card: ClassVar[Said | None] = None
    """Its name on a card of a hand, in a word; None to use the words of its prompt."""

    by_hand: ClassVar[bool] = False
    """Whether it is a correction, whatever the rules of the game say."""


class Step(Command, Generic[GameT], frozen=True, kw_only=True):
    """One action of a person or the camera: checked as a command, an entry of the history as an event.

    A step declares everything about its command in one place: tag, ``rule``, ``label``, the questions about its fields
    (`asks.Asks`), and its prompts. ``settle`` fills in the results of chance before the step is stored, so that
    ``apply`` depends on nothing but the game and the step. A class without a tag is a base of others.
    """

    reveals: ClassVar[bool] = False
    """Whether it reveals something, such as a drawn card or a die. Only a judge undoes that."""

    for_judge: ClassVar[bool] = False
    """Whether only a judge may give it."""

    is_secret: ClassVar[bool] = False
    """Whether it needs a secret of its own side, such as a hand of cards. Then the shared tablet may not give it."""

    begins_hand: ClassVar[bool] = False
    """Whether its side plays its hand from now on: a shared tablet changes hands before it."""

    finds_place: ClassVar[bool] = False
    """Whether it finds the new place of a figure by itself, so that the page asks for no point of the table."""

    filled_later: ClassVar[frozenset[str]] = frozenset()
    """Fields that a later version of the program fills in. An older match without them is still valid."""

    keeps_passes: ClassVar[bool] = False
    """Whether passes stay valid after it, since it changes nothing that is open."""

    of_figure: ClassVar[bool] = False
    """Whether it affects its ``figure``, so that the side of that figure decides."""

    @classmethod
    def prompts(cls, game: GameT) -> Iterator[Prompt]:
        """Yield the prompts for it at this moment, or none for a command that people look up by its label."""
        return iter(())

    @classmethod
    def prompt(
        cls,
        text: Said | None = None,
        *,
        side: str | None = None,
        urgency: int = 0,
        task: Said | None = None,
        note: Said | None = None,
        question: Said | None = None,
        **fields: object,
    ) -> Prompt:
        """Return a prompt for it with these fields filled in; the default text is the label."""
        words = cls.label if text is None else text
        assert words is not None, f"{cls.__name__} has no label"
        return Prompt(
            type=tag_of(cls),
            text=words,
            task=task,
            note=note,
            question=question,
            side=side,
            fields=fields,
            urgency=urgency,
        )

    @classmethod
    def word_nothing(cls, game: GameT) -> Said | None:
        """Explain why it is not offered despite its prompt: it has no legal answer now. None gives no explanation."""
        return None

    @classmethod
    def word_on_card(cls, game: GameT) -> Said | None:
        """Return its words on a card that it plays, or None if its prompt or label says enough."""
        return cls.on_card

    def rule_at(self, game: GameT) -> Rule:
        """Return the rule that allows it at this moment, if it differs from the class's rule."""
        return self.rule

    def rests_on_people(self, game: GameT) -> bool:
        """Return whether the rules do not cover it, so that people answer for it: its verdict is “by hand”."""
        return self.by_hand

    @classmethod
    def moments(cls, game: GameT) -> Iterator[Moment]:
        """Yield the moments of everyone who may still answer before it. It waits until each has answered or passed."""
        return iter(())

    def has_revealed(self) -> bool:
        """Return whether this step, once settled, has revealed something."""
        return self.reveals

    decided_by: ClassVar[str | None] = None
    """The side that always decides it, for a step that does not override `side`."""

    def side(self, game: GameT) -> str | None:
        """Return the deciding side, or None if anyone at the table may do it."""
        return game.piece(getattr(self, "figure")).side if self.of_figure else self.decided_by  # noqa: B009

    def sides_besides(self, game: GameT) -> frozenset[str]:
        """Return the other sides that its fields also decide for. Then no player of a single side may give it."""
        return frozenset()

    def settle(self, game: GameT, chance: Chance) -> Self:
        """Return the step with all of the program's decisions, which overwrite a client's values."""
        return self

    def check(self, game: GameT) -> None:
        """Require that the rules allow the step now.

        Raises:
            IllegalStep: they do not, and why.
        """

    def is_allowed(self, game: GameT) -> bool:
        try:
            self.check(game)
        except IllegalStep:
            return False
        return True

    def apply(self, game: GameT) -> GameT:
        """Return the game after the step."""
        raise NotImplementedError

    def is_idle(self, game: GameT) -> bool:
        """Return whether the rules allow it although it would change nothing now. Then no card offers it."""
        return False

    def title(self, game: GameT) -> Said:
        """Return the history line for everyone. It names no secret of a side."""
        raise NotImplementedError

    def dice_shown(self, game: GameT) -> tuple[ShownDie, ...]:
        """Return the dice that it rolled, as they lie; ``game`` is the state before the step."""
        return ()


def word_unused(points: int, attacks: int, left_lying: Iterable[str] = ()) -> Said | None:
    """List what a figure gives up by ending now: movement, attacks, tokens under it, or None if nothing."""
    parts = [said("{item} stays here", item=item) for item in left_lying]
    parts += [counted("{n} point of movement unused", "{n} points of movement unused", points)] if points else []
    parts += [counted("{n} attack unused", "{n} attacks unused", attacks)] if attacks else []
    return listed(parts) if parts else None


def tag_of(command: type[Struct]) -> str:
    """Return the type of a command in documents."""
    return str(command.__struct_config__.tag)


class SaltedStep(Step[GameT], Generic[GameT], frozen=True, kw_only=True):
    """A step that may shuffle or draw. The program gives it a salt as the seed of its draws."""

    salt: str = ""

    def settle(self, game: GameT, chance: Chance) -> Self:
        """Return the step with its salt."""
        return replace(self, salt=chance.salt())

    @property
    def chance(self) -> Chance:
        """The draws of this step, the same on every application."""
        return Chance(self.salt)


def require(condition: bool, sentence: Said, rule: CitedRule | None = None) -> None:
    """Refuse the step with that sentence and rule unless the condition holds.

    Raises:
        IllegalStep: it does not hold.
    """
    if condition:
        return
    raise IllegalStep(sentence) if rule is None else IllegalStep.by(rule, sentence)


def require_value(value: Value | None, sentence: Said) -> Value:
    """Return the value, which a step needs.

    Raises:
        IllegalStep: it is None; the sentence says what to do first.
    """
    if value is None:
        raise IllegalStep(sentence)
    return value


def require_points(cost: int, left: int) -> None:
    """Refuse a move that costs more than the remaining movement.

    Raises:
        IllegalStep: it costs more than that.
    """
    require(
        cost <= left,
        counted(
            "this move costs {cost} and {n} point is left",
            "this move costs {cost} and {n} points are left",
            left,
            cost=cost,
        ),
    )


def roll_face(dice: Mapping[str, Sequence[Value]], color: str, chance: Chance) -> Value:
    """Roll a die of that colour.

    Raises:
        IllegalStep: the set-up has no faces for such dice.
    """
    faces = dice.get(color, ())
    require(
        bool(faces),
        said(
            "this match has no faces for {color} dice; roll them by hand and type the faces in",
            color=color_in_words(color),
        ),
    )
    return faces[chance.below(len(faces))]


def find_by_name(entries: Iterable[Value], field: str, name: str, sentence: Said) -> Value:
    """Return the set-up entry with that name in the field.

    Raises:
        UnknownName: there is none.
    """
    for entry in entries:
        if getattr(entry, field) == name:
            return entry
    raise UnknownName(sentence)


SET_UP = said("match set-up")
"""The name of a mission's set-up in errors."""


def require_names_once(names: Iterable[str]) -> None:
    """Require that the figures of a set-up have different names.

    Raises:
        BadValue: two figures share a name.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadValue(said("two figures are called “{name}”; number them", name=name), document=SET_UP, field=name)
        seen.add(name)


def change(game: GameT, **changes: Any) -> GameT:
    """Return the game with some fields changed."""
    return replace(game, **changes)
