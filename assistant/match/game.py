"""What the state of every game holds, and the one shape in which people change it: the step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.errors import BadValue, CitedRule, IllegalStep, UnknownName
from assistant.match.chance import Chance
from assistant.rules.reasons import Rule
from assistant.rules.ruleset import AnyRules, CellRules
from assistant.table.lattice import LIMIT, Cell, is_rectangle
from assistant.translations.messages import SILENCE, Said, said

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=2_000)]
Count = Annotated[int, Meta(ge=0, le=1_000)]
PositiveCount = Annotated[int, Meta(ge=1, le=1_000)]
Integer = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)]
Cells = tuple[tuple[Integer, Integer], ...]
_Mm = Annotated[float, Meta(gt=-100_000, lt=100_000)]
PointMm = tuple[_Mm, _Mm]
"""A place on a table without a grid, in millimetres; a hundred metres are further than any table reaches."""

MARINES = "marines"
INVADER = "invader"


class Piece(Struct, frozen=True, kw_only=True):
    """A figure in play, in any game.

    ``cells`` is empty while the figure is not on the board (or the table has no grid); ``harm`` counts
    damage or wounds; ``marks`` are the tokens beside it (``stunned``, ``guard``, ``down``, …), sorted.
    """

    id: str
    kind: str
    side: str
    cells: tuple[Cell, ...] = ()
    center_mm: tuple[float, float] | None = None
    harm: int = 0
    marks: tuple[str, ...] = ()
    on_table: bool = True

    def marked(self, mark: str) -> Piece:
        """The figure with that token beside it."""
        return self if mark in self.marks else replace(self, marks=tuple(sorted((*self.marks, mark))))

    def unmarked(self, *marks: str) -> Piece:
        """The figure without those tokens."""
        left = tuple(mark for mark in self.marks if mark not in marks)
        return self if left == self.marks else replace(self, marks=left)

    def gone(self) -> Piece:
        """The figure taken off the table, with nothing left beside it."""
        return replace(self, cells=(), center_mm=None, harm=0, marks=(), on_table=False)


class Mover(NamedTuple):
    """The figure that acts now and the points of movement it has left; None where not known."""

    figure: str | None = None
    movement: int | None = None


class ShownDie(NamedTuple):
    """A die as it lies on the table: the color of the game's dice that have one, and what its face reads."""

    face: str
    color: str = ""


class GameState(Struct, frozen=True, kw_only=True):
    """The state of a match; each game adds its own fields.

    ``ground`` is the document of the board (or of the free table) as text, without its figures: it
    changes rarely, and text compares and stores cheaply.
    """

    hides_box: ClassVar[tuple[str, ...]] = ()
    """The sides whose figures off the table nobody else may know of."""

    moves_by_side: ClassVar[bool] = False
    """Whether a side moves all of its figures in its turn, so that no single one of them acts."""

    options: Mapping[str, str] = {}
    round: int = 0
    pieces: Mapping[str, Piece] = {}
    ground: str = ""
    doors_open: tuple[str, ...] = ()
    winner: str | None = None
    ending: Said = SILENCE

    @property
    def rules(self) -> AnyRules:
        """The rules of the match under its house options; each game says which."""
        raise NotImplementedError

    @property
    def has_grid(self) -> bool:
        """Whether it is played on a board of cells; otherwise on a free table."""
        return isinstance(self.rules, CellRules)

    def piece(self, piece_id: str) -> Piece:
        """The figure of that name.

        Raises:
            UnknownName: the match holds no such figure.
        """
        try:
            return self.pieces[piece_id]
        except KeyError:
            raise unknown_figure(piece_id) from None

    def is_hidden_from(self, piece_id: str, side: str | None) -> bool:
        """Whether a figure waits in the box of a side that does not tell the others what it has in there."""
        piece = self.pieces.get(piece_id)
        waits = piece is not None and not piece.on_table and piece.side in self.hides_box
        return waits and piece is not None and piece.side != side

    def standing(self, side: str | None = None) -> tuple[Piece, ...]:
        """The figures on the table, in the order of the roster, of one side or of all."""
        return tuple(p for p in self.pieces.values() if p.on_table and side in (None, p.side))

    def places_after(self, moved: Mapping[str, Cells]) -> list[Cell]:
        """The cells under all figures, each as often as it is stood on, after some were put elsewhere."""
        staying = [cell for piece in self.standing() if piece.id not in moved for cell in piece.cells]
        return staying + [cell for cells in moved.values() for cell in cells]

    def require_sound(self) -> None:
        """Makes sure that each figure stands on a full rectangle of cells, or on a point, that it has for itself.

        Raises:
            IllegalStep: one does not; no board could show that, and nothing could be asked on it any more.
        """
        taken: dict[tuple[float, float], str] = {}
        for piece in self.standing():
            cells = frozenset(piece.cells)
            whole = not piece.cells or (len(cells) == len(piece.cells) and is_rectangle(cells))
            require(whole, said("the cells of {figure} make no base; choose others", figure=piece.id))
            for place in cells if self.has_grid or piece.center_mm is None else (piece.center_mm,):
                other = taken.setdefault(place, piece.id)
                require(
                    other == piece.id,
                    said("{figure} would stand on {other}; choose another place", figure=piece.id, other=other),
                )

    def with_piece(self, *pieces: Piece) -> Self:
        """The game with these figures in place of those of the same names."""
        return replace(self, pieces={**self.pieces, **{piece.id: piece for piece in pieces}})

    def won_by(self, side: str, ending: Said) -> Self:
        """The game ended in favour of a side; the first ending stands."""
        return self if self.winner else replace(self, winner=side, ending=ending)

    def concluded(self) -> Self:
        """The game with its winner, if an objective is met now; the games say what their objectives are."""
        return self

    def mover(self) -> Mover:
        """The figure that acts now; nobody for a game in which a side moves all of its own."""
        return Mover()

    def side_to_act(self) -> str | None:
        """The side whose clock runs; None while nobody is to act."""
        return None

    def turn_name(self) -> str:
        """What the running turn is called; the turn clock starts anew when that changes."""
        return str(self.side_to_act())


def unknown_figure(piece_id: str) -> UnknownName:
    """What is told about a figure that is not there, or that whoever asks must not know of."""
    return UnknownName(said("there is no figure “{typed}” on the table; choose one that is listed", typed=piece_id))


GameT = TypeVar("GameT", bound=GameState)
Value = TypeVar("Value")


class Prompt(Struct, frozen=True, kw_only=True):
    """A command that may be given now: its type, its words, and the side that decides.

    ``fields`` holds the fields of the command that are known already. A prompt names nothing hidden. Prompts of a
    higher ``urgency`` come first; within one they come as the game's steps do.
    """

    type: Name
    text: Said
    side: str | None = None
    fields: dict[str, Any] = {}
    urgency: int = 0


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Everything that people, the camera or the program may send, with what the page and the judges say about it."""

    rule: ClassVar[Rule]
    """The rule by which it is allowed or refused."""

    label: ClassVar[Said | None] = None
    """Its name among the commands that are possible but not prompted; None for one that is only prompted."""

    by_hand: ClassVar[bool] = False
    """Whether it sets something right, whatever the rules of the game say."""


class Step(Command, Generic[GameT], frozen=True, kw_only=True):
    """One action of a person or the camera: checked as a command, an entry of the history as an event.

    A step declares everything about its command in one place: tag, ``rule``, ``label``, the questions about its fields
    (`asks.Asks`), and when it is prompted. ``settle`` fills in what chance decides before the step is written down,
    so that ``apply`` depends on nothing but the game and the step. A class without a tag is a base of others.
    """

    reveals: ClassVar[bool] = False
    """Whether it shows what could not be known before: a drawn card, a die. Only a judge takes that back."""

    for_judge: ClassVar[bool] = False
    """Whether only a judge may do it."""

    is_secret: ClassVar[bool] = False
    """Whether it takes what only its own side knows, such as a hand of cards; then the shared tablet may not try."""

    finds_place: ClassVar[bool] = False
    """Whether it finds by itself where a figure comes to stand, so that nobody is asked for a point of the table."""

    filled_later: ClassVar[frozenset[str]] = frozenset()
    """Fields that the program fills in since a later version, so that older matches lack them and are right."""

    @classmethod
    def prompts(cls, game: GameT) -> Iterator[Prompt]:
        """The prompts for it at this moment; none for a command that people look up by its label."""
        return iter(())

    @classmethod
    def prompt(cls, text: Said | None = None, *, side: str | None = None, urgency: int = 0, **fields: object) -> Prompt:
        """A prompt for it with these fields filled in; without a text the label says what it is."""
        words = cls.label if text is None else text
        assert words is not None, f"{cls.__name__} has no label"
        return Prompt(type=tag_of(cls), text=words, side=side, fields=fields, urgency=urgency)

    def has_revealed(self) -> bool:
        """Whether this very step showed something; it was settled before."""
        return self.reveals

    decided_by: ClassVar[str | None] = None
    """The side whose decision it always is, for a step that does not work it out by `side`."""

    def side(self, game: GameT) -> str | None:
        """The side whose decision this is; None where anyone at the table may do it."""
        return self.decided_by

    def settle(self, game: GameT, chance: Chance) -> Self:
        """The step with all that the program decides filled in; what a client sent there is overwritten."""
        return self

    def check(self, game: GameT) -> None:
        """Makes sure that the rules allow the step now.

        Raises:
            IllegalStep: they do not; the sentence says why.
        """

    def is_allowed(self, game: GameT) -> bool:
        """Whether the rules allow the step now."""
        try:
            self.check(game)
        except IllegalStep:
            return False
        return True

    def apply(self, game: GameT) -> GameT:
        """The game after the step."""
        raise NotImplementedError

    def title(self, game: GameT) -> Said:
        """What the step does, worded for everyone: it names nothing that one side hides from the other."""
        raise NotImplementedError

    def dice_shown(self, game: GameT) -> tuple[ShownDie, ...]:
        """The dice that it rolled, as they lie; ``game`` is that of before."""
        return ()


def tag_of(command: type[Struct]) -> str:
    """The type by which documents call a command."""
    return str(command.__struct_config__.tag)


class SaltedStep(Step[GameT], Generic[GameT], frozen=True, kw_only=True):
    """A step that may shuffle or draw: the program gives it a word from which those draws are made."""

    salt: str = ""

    def settle(self, game: GameT, chance: Chance) -> Self:
        """The step with its salt."""
        return replace(self, salt=chance.salt())

    @property
    def chance(self) -> Chance:
        """The draws of this step, the same whenever it is applied."""
        return Chance(self.salt)


def require(condition: bool, sentence: Said, rule: CitedRule | None = None) -> None:
    """Refuses the step with that sentence, and with the rule that says so, unless the condition holds.

    Raises:
        IllegalStep: it does not hold.
    """
    if condition:
        return
    raise IllegalStep(sentence) if rule is None else IllegalStep.by(rule, sentence)


def require_value(value: Value | None, sentence: Said) -> Value:
    """The value that a step cannot do without.

    Raises:
        IllegalStep: it is not there; the sentence says what to do first.
    """
    if value is None:
        raise IllegalStep(sentence)
    return value


def find_by_name(entries: Iterable[Value], field: str, name: str, sentence: Said) -> Value:
    """The entry of a set-up that bears the name in that field.

    Raises:
        UnknownName: none does.
    """
    for entry in entries:
        if getattr(entry, field) == name:
            return entry
    raise UnknownName(sentence)


SET_UP = said("match set-up")
"""What errors call the facts that a match begins with."""


def require_names_once(names: Iterable[str]) -> None:
    """Makes sure that no two figures of a set-up have one name.

    Raises:
        BadValue: two have.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadValue(said("two figures are called “{name}”; number them", name=name), document=SET_UP, field=name)
        seen.add(name)


def change(game: GameT, **changes: Any) -> GameT:
    """The game with some fields changed."""
    return replace(game, **changes)
