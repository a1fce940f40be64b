"""Guided entry of a command: its questions in order, each with the answers that the rules allow.

The fields of a step and their types give the questions that every game has (who, whom, where to, which door, how many).
A game declares its own questions beside the field (`asks.Asks`). No legality is computed twice: the finder builds the
step with an answer and calls `Step.check`, so it offers exactly what the rules allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect
from msgspec.structs import replace

from assistant.errors import DocumentError, IllegalStep, InputError
from assistant.match.asks import Ask, Pick, Way, ask_number, ask_place, ask_thing, cite
from assistant.match.audience import Audience
from assistant.match.chance import Chance
from assistant.match.game import Cells, GameState, Step
from assistant.match.ground import board_of, door_in_words
from assistant.match.system import MatchSystem
from assistant.rules.capabilities import FindsReach
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, named, said

Fields = dict[str, Any]


class Objection(NamedTuple):
    """The objection to a command, with its rule; None for a malformed command."""

    sentence: Said
    rule: Rule | None = None


Refuses = Callable[[Mapping[str, Any]], Objection | None]

FIGURE_FIELDS = frozenset({"figure", "attacker", "defender", "demon", "target", "targets", "shooter", "fighters"})
"""Command fields that hold figure names, in every game."""

_WHOM = frozenset({"defender", "demon", "target", "targets"})

_ATTACKED = ("defender", "target", "targets")
"""Fields that name the target of an attack."""

_MEANS = frozenset({"weapon", "profile"})
"""The fields that choose how to attack a target."""

NOTHING_TO_CHOOSE = said("there is nothing to choose for this now")
"""Objection to a command with no legal answer to its next question, and no better reason known."""

NOT_WHOLE = said("That is incomplete, or does not work like this. Choose again from what is offered.")
"""The refusal of a malformed command. The format error itself would mean nothing to players."""

_TRIALS = 400
"""Limit of trial commands for one question. Further answers are offered untried and may be refused when chosen."""

_NOBODY_CHOOSES = frozenset({"words", "place"})
"""Kinds of questions without a list of answers to try."""


@dataclass
class WayFinder:
    """The questions of one match at one moment, for one reader.

    Args:
        system: the game.
        game: the match.
        audience: the reader; answers never reveal what is hidden from it.
        refuses: gives the objection to a whole command, or None.
    """

    system: MatchSystem[Any, Any]
    game: GameState
    audience: Audience
    refuses: Refuses
    trials: int = _TRIALS
    hidden_of: str | None = None
    """The side whose hidden hand blocked the last search for a whole command."""
    lacks_table: bool = False
    """Whether that search met a question that needs a table nobody has seen yet."""

    def find(self, command: Mapping[str, Any]) -> Way:
        """Return the next question of a command, after filling in every answer without an alternative.

        Raises:
            BadValue: there is no such command.
        """
        step = self.step_type(command)
        fields = dict(command)
        ask, why, certain = self._next(fields), None, []
        while ask is not None and ask.refusal is None:
            ask, why = self._keep_allowed(fields, ask)
            if not self._is_certain(fields, ask):
                break
            fields.update(_fill(ask, ask.picks[0]))
            certain.append(ask.picks[0].text)
            ask = self._next(fields)
        refusal = self._why_not(fields, ask, why)
        kind = str(fields.pop("type"))
        rolls, path = ("rolled_here" in step.__struct_fields__, "path" in step.__struct_fields__)
        way = Way(type=kind, fields=fields, ask=ask, certain=tuple(certain), takes_path=path, has_dice=rolls)
        if refusal is None:
            return way
        rule = None if refusal.rule is None else cite(refusal.rule)
        return replace(way, refusal=refusal.sentence, rule=rule)

    def _is_certain(self, fields: Fields, ask: Ask) -> bool:
        """Return whether a question has a single possible answer, so that nobody needs to choose.

        The last figure of a command without dice is still a question: no tap acts on a figure that it did not name.
        """
        if len(ask.picks) != 1 or ask.may_skip or ask.most > 1:
            return False
        if ask.kind == "figure":
            rolls = "rolled_here" in self.step_type(fields).__struct_fields__
            return rolls or self._next({**fields, **_fill(ask, ask.picks[0])}) is not None
        return ask.kind == "thing" or (ask.kind == "spaces" and not ask.picks[0].cost)

    def retrace(self, command: Mapping[str, Any]) -> Iterator[Ask]:
        """Yield the questions behind a whole command, each with the answers that the rules allowed at its place.

        Questions with a single possible answer are left out.

        Raises:
            IllegalStep: this game has no such command.
        """
        named = {name: command[name] for name in self._named_besides(command)}
        at_space = {"space": command["space"]} if command.get("space") is not None else {}
        fields: Fields = {"type": command["type"], **at_space, **self._prompted(command), **named}
        asked: set[str] = set()
        while (ask := self._ask_next(fields)) is not None and ask.field not in asked:
            value = command.get(ask.field)
            if value is not None and ask.picks and ask.kind != "number":
                yield ask
            asked.add(ask.field)
            fields[ask.field] = ask.skipped if value is None else value
        for name in named:
            others = [(one.id, [one.id]) for one in self.game.standing()]
            allowed = [pick for pick in others if self.refuses({**fields, name: pick[1]}) is None]
            yield _ask_figure(name, allowed)

    def _prompted(self, command: Mapping[str, Any]) -> Fields:
        """Return a prompt's fields that no question covers, such as the marine who shoots on guard."""
        kind = {"type": command["type"]}
        asked = {field.name for field in _fields_of(self.step_type(kind)) if self._is_asked(kind, field)}
        for prompt in self.system.prompts(self.game):
            fields: Fields = msgspec.to_builtins(prompt.fields)
            if prompt.type == command["type"] and fields and all(command.get(k) == v for k, v in fields.items()):
                free = (name for name in fields if name not in asked and self._ask_game(kind, name) is None)
                return {name: fields[name] for name in free}
        return {}

    def complete(self, command: Mapping[str, Any]) -> Fields | None:
        """Return the first whole command that the rules allow; None if there is none.

        Once the trials are used up, return the command unchanged.
        """
        fields = dict(command)
        ask = self._next(fields)
        if ask is None:
            self.trials -= 1
            return None if self.refuses(fields) else fields
        if ask.refusal is not None:
            self.hidden_of = ask.hidden_of or self.hidden_of
            self.lacks_table |= not self.game.ground
            return None
        for filled in _answers(ask):
            if self.trials <= 0:
                return fields
            found = self.complete({**fields, **filled})
            if found is not None:
                return found
        return None

    def _named_besides(self, command: Mapping[str, Any]) -> Iterator[str]:
        """Yield the lists of figures that a command names without a question, such as the targets of an attack.

        An attack on a space has an empty list, which is no answer.
        """
        for field in _fields_of(self.step_type(command)):
            value = command.get(field.name)
            if field.name in FIGURE_FIELDS and not field.required and isinstance(value, list) and value:
                yield field.name

    def _ask_next(self, fields: Fields) -> Ask | None:
        """Return the next question; None at the end, or if nobody here may answer it. Fills in certain answers."""
        self.trials = _TRIALS
        way = self.find(fields)
        fields.update(way.fields)
        return None if way.ask is None or way.ask.refusal is not None else way.ask

    def step_type(self, command: Mapping[str, Any]) -> type[msgspec.Struct]:
        """Return the class of a command.

        Raises:
            IllegalStep: this game has no such command.
        """
        step = self.system.commands.get(str(command.get("type")))
        if step is not None:
            return step
        raise IllegalStep(said("this game has no such command; choose one that is offered"))

    def _next(self, fields: Mapping[str, Any]) -> Ask | None:
        step = self.step_type(fields)
        for field in _fields_of(step):
            ask = self._ask_game(fields, field.name)
            if ask is not None and (ask.refusal is not None or ask.goes_on or field.name not in fields):
                return ask
            if ask is None and self._is_asked(fields, field):
                ask = self._plain(fields, field)
                if ask is not None:
                    return ask
        return None

    def asks_for_hand(self, kind: str, field: str) -> bool:
        """Return whether the game now asks for cards of a hand in that field of a command."""
        ask = self._ask_game({"type": kind}, field)
        return ask is not None and ask.kind == "card"

    def offers(self, command: Mapping[str, Any], field: str) -> bool:
        """Return whether the game's question about a field of a command has the command's value among its answers."""
        ask = self._ask_game(command, field)
        return ask is not None and command[field] in [pick.value for pick in ask.picks]

    def _ask_game(self, fields: Mapping[str, Any], name: str) -> Ask | None:
        """Return the game's question about a field, or its reason for not asking yet, such as an unseen table."""
        try:
            return self.system.ask(self.game, fields, name, self.audience)
        except IllegalStep as problem:
            return Ask(field=name, kind="thing", text=problem.sentence, refusal=problem.sentence)

    def _is_asked(self, fields: Mapping[str, Any], field: inspect.Field) -> bool:
        """Return whether a field without a question of the game needs one: it is required, or a place."""
        is_place = field.name == "cells" and fields["type"] == "place" and self.game.has_grid
        is_point = field.name == "center_mm" and not getattr(self.step_type(fields), "finds_place", False)
        return field.required or is_point or is_place

    def _plain(self, fields: Mapping[str, Any], field: inspect.Field) -> Ask | None:
        """Return the question that follows from a field's name or type."""
        if field.name in FIGURE_FIELDS:
            return self._ask_figures(fields, field.name, field.type)
        if field.name in fields:
            return None
        named_fields = {"door": self._ask_door, "center_mm": self._ask_place, "winner": self._ask_winner}
        if field.name in named_fields:
            return named_fields[field.name]()
        if isinstance(field.type, inspect.VarTupleType) and isinstance(field.type.item_type, inspect.TupleType):
            return self._ask_spaces(fields, field.name)
        return _ask_by_type(field)

    def _ask_figures(self, fields: Mapping[str, Any], name: str, kind: inspect.Type) -> Ask | None:
        chosen = fields.get(name)
        if isinstance(kind, inspect.StrType):
            if chosen is not None:
                return None
            return _ask_figure(name, [(one, one) for one in self._figures(name)])
        before = list(chosen) if isinstance(chosen, list | tuple) else []
        wanted = len(kind.item_types) if isinstance(kind, inspect.TupleType) else 1
        if len(before) >= wanted:
            return None
        others = [one for one in self._figures(name) if one not in before]
        return replace(_ask_figure(name, [(one, [*before, one]) for one in others]), goes_on=True)

    def _figures(self, field: str) -> list[str]:
        """Return the figures on the table. For a target, omit the mover and put the other sides first."""
        standing = self.game.standing()
        mover = self.game.pieces.get(self.game.mover().figure or "")
        if field not in _WHOM or mover is None:
            return [piece.id for piece in standing]
        others = (piece for piece in standing if piece.id != mover.id)
        return [piece.id for piece in sorted(others, key=lambda piece: piece.side == mover.side)]

    def _ask_door(self) -> Ask:
        asked = Ask(field="door", kind="door", text=said("Which door?"))
        try:
            doors = board_of(self.game).doors
        except IllegalStep as problem:
            return replace(asked, refusal=problem.sentence)
        picks = tuple(
            Pick(
                value=door.id,
                text=door_in_words(self.game, door),
                cells=tuple(sorted({c for edge in door.edges for c in edge.cells})),
            )
            for door in doors
        )
        return replace(asked, picks=picks)

    def _ask_winner(self) -> Ask:
        sides = dict.fromkeys(piece.side for piece in self.game.pieces.values())
        nobody = ("", said("Nobody: we stop here"))
        return ask_thing("winner", said("Who has won?"), (*((side, named([side])) for side in sides), nobody))

    def _ask_place(self) -> Ask | None:
        if self.game.has_grid or not self.game.ground:
            return None
        return ask_place()

    def _ask_spaces(self, fields: Mapping[str, Any], name: str) -> Ask:
        asked = Ask(field=name, kind="spaces", text=said("Where to?"))
        try:
            return replace(asked, picks=tuple(self._list_ends(fields)))
        except IllegalStep as problem:
            return replace(asked, refusal=problem.sentence)

    def _list_ends(self, fields: Mapping[str, Any]) -> Iterator[Pick]:
        """Yield the places where the figure may end its move or be put; the mover's places carry their cost."""
        mover, rules, board = self.game.mover(), self.game.rules, board_of(self.game)
        figure = fields.get("figure", mover.figure)
        piece = self.game.pieces.get(str(figure))
        is_put = fields["type"] == "place" or piece is None or not piece.cells
        if isinstance(rules, FindsReach) and not is_put and figure == mover.figure and mover.movement:
            for end in rules.reach(board, str(figure), mover.movement).ends:
                if end.cost:
                    yield _space(end.cells, end.cost)
            return
        for cells in free_places(self.game, str(figure)):
            yield _space(cells)

    def _keep_allowed(self, fields: Fields, ask: Ask) -> tuple[Ask, Objection | None]:
        """Return the question with only its legal answers, and the first objection to an illegal one."""
        if ask.most > 1 or not ask.picks:
            return ask, None
        picks, why = [], None
        for pick in ask.picks:
            tried = {**fields, **_fill(ask, pick)}
            if pick.cost is not None or self.trials <= 0 or self.complete(tried) is not None:
                picks.append(pick)
            elif why is None and self._next(tried) is None:
                why = self.refuses(tried)
        return replace(ask, picks=tuple(picks)), why

    def _why_not(self, fields: Fields, ask: Ask | None, why: Objection | None) -> Objection | None:
        if ask is None:
            return self.refuses(fields)
        rule = self.system.rule_of(str(fields["type"]))
        if ask.refusal is not None:
            return Objection(ask.refusal, rule)
        if ask.kind in (*_NOBODY_CHOOSES, "number") or ask.picks or ask.may_skip:
            return None
        known = why or self.refuses(fields)  # what is chosen already may be refused whatever comes next
        is_said = known is not None and known.sentence != NOT_WHOLE
        return known if is_said else Objection(NOTHING_TO_CHOOSE, rule)


@cache
def _fields_of(step: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    """Return the fields of a step in order, cached because a question tries hundreds of commands of a few types."""
    return inspect.type_info(step).fields  # type: ignore[attr-defined,no-any-return]


def is_attack(step: type[msgspec.Struct]) -> bool:
    """Return whether a command names the target of an attack."""
    return not set(_ATTACKED).isdisjoint(step.__struct_fields__)


def find_pair(way: Way, pick: Pick | None, mover: str | None) -> tuple[str, str] | None:
    """Return attacker and target of an attack with this answer; None if it does not concern two figures.

    Args:
        way: the command so far.
        pick: the answer in question: a target, the second of two fighters, or the weapon against a target; None if
            the command already names its target.
        mover: the acting figure, which attacks unless the command names another.
    """
    fields, field = way.fields, "" if way.ask is None else way.ask.field
    attacker = next((str(fields[name]) for name in ("figure", "shooter", "guard") if fields.get(name)), mover)
    if pick is not None and field == "fighters" and fields.get("fighters"):
        attacker, whom = fields["fighters"][0], pick.figure
    elif pick is None or field in _MEANS:
        whom = next((fields[name] for name in _ATTACKED if fields.get(name)), None)
    else:
        whom = pick.figure if field in _ATTACKED else None
    defender = whom[0] if isinstance(whom, list | tuple) else whom
    return None if attacker is None or defender is None or attacker == defender else (attacker, defender)


def free_places(game: GameState, figure: str) -> Iterator[Cells]:
    """Yield every free place of the board that fits a figure, row by row.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    board = board_of(game)
    taken = set(game.places_after({figure: ()}))
    free = board.cells - board.blocking - taken
    shape = shape_of(game, figure)
    for column, row in sorted(free, key=lambda cell: (cell[1], cell[0])):
        cells = tuple(sorted((column + right, row + down) for right, down in shape))
        if free.issuperset(cells):
            yield cells


def shape_of(game: GameState, figure: str) -> Cells:
    """Return a figure's base relative to its first cell: its own, that of its kind, or a single cell."""
    piece = game.pieces.get(figure)
    kind = None if piece is None else piece.kind
    same = (one for one in game.pieces.values() if one.cells and (one.id == figure or one.kind == kind))
    cells = next((one.cells for one in same), ((0, 0),))
    left, top = min(c for c, _ in cells), min(r for _, r in cells)
    return tuple((c - left, r - top) for c, r in cells)


def refusal_of(system: MatchSystem[Any, Any], game: GameState, guard: Callable[[Step[GameState]], None]) -> Refuses:
    """Return a function that gives the objection to a command; ``guard`` refuses actors who may not give it."""

    def refuses(fields: Mapping[str, Any]) -> Objection | None:
        try:
            step = system.command(fields)
            if isinstance(step, Step):
                guard(step)
                step.settle(game, Chance("what if")).check(game)
        except DocumentError:
            return Objection(NOT_WHOLE)
        except InputError as problem:
            return Objection(problem.sentence, find_rule(system, str(fields["type"]), problem))
        return None

    return refuses


def find_rule(system: MatchSystem[Any, Any], kind: str, problem: InputError) -> Rule | None:
    """Return the rule behind the refusal of a command of that type; None for an error that is no `IllegalStep`."""
    if not isinstance(problem, IllegalStep):
        return None
    return problem.rule if isinstance(problem.rule, Rule) else system.rule_of(kind)


def _ask_by_type(field: inspect.Field) -> Ask:
    kind = field.type
    if isinstance(kind, inspect.LiteralType):
        return ask_thing(field.name, said("Which?"), ((value, named([str(value)])) for value in kind.values))
    if isinstance(kind, inspect.BoolType):
        return ask_thing(field.name, said("Which?"), ((True, said("yes")), (False, said("no"))))
    if isinstance(kind, inspect.IntType):
        least = max(0, kind.ge or 0)
        return ask_number(field.name, said("How many?"), range(least, least + 5))
    return Ask(field=field.name, kind="words", text=said("Which one?"))


def _ask_figure(name: str, values: list[tuple[str, Any]]) -> Ask:
    text = said("Whom?") if name in _WHOM else said("Who?")
    picks = tuple(Pick(value=value, text=named([one]), figure=one) for one, value in values)
    return Ask(field=name, kind="figure", text=text, picks=picks)


def _space(cells: Cells, cost: int | None = None) -> Pick:
    return Pick(value=[list(cell) for cell in cells], cells=cells, cost=cost)


def _answers(ask: Ask) -> Iterator[Fields]:
    """Yield the fields to try for a question: its answers, or a stand-in for free input."""
    if ask.may_skip:
        yield {ask.field: ask.skipped}
    if ask.kind == "number":
        yield {ask.field: ask.value}
    elif ask.kind == "words":
        yield {ask.field: "…"}
    elif ask.most > 1:
        yield {ask.field: [value for pick in ask.picks[: ask.least] for value in pick.value]}
    else:
        yield from (_fill(ask, pick) for pick in ask.picks)


def _fill(ask: Ask, pick: Pick) -> Fields:
    return {ask.field: pick.value, **pick.fills}
