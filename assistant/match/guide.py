"""The attack assistant, in one shape for all games: facts, odds, dice, next commands.

A game builds a guide (``match/guide.py`` in its folder) for an attack that somebody considers, or for the open attack.
Building one changes nothing. Each of its offers is a command that waits for a tap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.match.asks import Cited
from assistant.match.audience import AttackQuery
from assistant.match.game import GameState, Name, Prompt, unknown_figure
from assistant.match.rulings import rule_sight
from assistant.rules.ruling import Reason, Ruling
from assistant.translations.messages import Said, listed, said


class Wish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack that somebody considers, with the choices made so far.

    People type ``range`` and ``cover`` by hand. Both count only if the match has seen no table.
    """

    attacker: Name | None = None
    defender: Name | None = None
    aimed: bool = False
    drop: str | None = None
    range: Annotated[int, Meta(ge=0, le=1_000)] | None = None
    cover: bool = False

    def question(self, **more: Any) -> AttackQuery:
        """Return the same attack as a query for odds, once both figures are chosen."""
        assert self.attacker is not None, "an attacker was chosen"
        assert self.defender is not None, "a defender was chosen"
        chosen = {"aimed": self.aimed, "range": self.range, "cover": self.cover, **more}
        return AttackQuery(attacker=self.attacker, defender=self.defender, **chosen)


class SightFacts(Struct, frozen=True, kw_only=True):
    """Sight, range and cover, from the table or (``from_table`` false) typed by hand, or None for unknown.

    Range counts cells or spaces. On a free table it counts steps between the bases.
    """

    from_table: bool
    line_of_sight: bool | None = None
    range: float | None = None
    cover: bool | None = None


class Share(Struct, frozen=True, kw_only=True):
    """One outcome with its exact chance, from 0 to 1."""

    text: Said
    chance: float


class Chances(Struct, frozen=True, kw_only=True):
    """The odds of an attack: the chance of each amount, of the headline (a hit, a kill), and the mean.

    ``why`` gives the reason if no roll can have an effect; then there is no headline.
    """

    amounts: tuple[Share, ...] = ()
    outlook: tuple[Share, ...] = ()
    mean: Said | None = None
    why: Said | None = None


class FaceButton(Struct, frozen=True, kw_only=True):
    """One face of a die: the text of its button, and its value in the command."""

    text: str
    value: Any


class Die(Struct, frozen=True, kw_only=True):
    """A die to tap, type or roll; ``shown`` is its present face, if a reroll is possible.

    ``field`` is the command's field for this die alone; ``group`` is the number of its fighter.
    """

    name: Said
    faces: tuple[FaceButton, ...]
    color: str = ""
    field: str = ""
    group: int = 0
    shown: str | None = None


class DiceInput(Struct, frozen=True, kw_only=True):
    """The dice of a command, and the form in which it takes dice that people throw.

    ``pairs`` puts ``[colour, face]`` of each into ``field``, ``values`` the faces, ``groups`` the faces by fighter,
    ``fields`` each face into the die's own field. With ``picks`` people choose dice by position; the positions go into
    ``which``.
    """

    dice: tuple[Die, ...]
    form: Literal["pairs", "values", "groups", "fields"]
    field: str = "dice"
    picks: bool = False


class Choice(Struct, frozen=True, kw_only=True):
    """A possible value of a field."""

    value: str
    text: Said


class Input(Struct, frozen=True, kw_only=True):
    """A field of the command for a person to fill in. With ``wish``, odds and dice depend on it.

    ``tags`` puts the chosen values as a list under ``key`` into the field.
    """

    field: Name
    kind: Literal["count", "change", "toggle", "choice", "text", "figures", "tags"]
    text: Said
    choices: tuple[Choice, ...] = ()
    value: Any = None
    key: str = ""
    wish: bool = False


class Offer(Struct, frozen=True, kw_only=True):
    """A possible command with its inputs, dice and odds.

    ``note`` and ``question`` are as in a `Prompt`. ``refusal`` is the rules' present objection, ``rule`` the id of that
    rule, ``cited`` the rule itself.
    """

    type: Name
    text: Said
    note: Said | None = None
    question: Said | None = None
    side: str | None = None
    fields: Mapping[str, Any] = {}
    inputs: tuple[Input, ...] = ()
    roll: DiceInput | None = None
    odds: Chances | None = None
    is_main: bool = False
    is_plan: bool = False
    """Whether it is the attack itself, which the session checks against the rules before any roll."""
    refusal: str | Said | None = None
    rule: str = ""
    cited: Cited | None = None


class Guide(Struct, frozen=True, kw_only=True):
    """The attack assistant. Before the roll: facts and possible attacks. After it: every step and the sum."""

    stage: Literal["choose", "plan", "open"]
    attacker: str | None = None
    defender: str | None = None
    facts: SightFacts | None = None
    sight: tuple[Reason, ...] = ()
    """The reasons for sight, range and cover."""
    rolled: tuple[Die, ...] = ()
    """The dice of the open attack, rolled or typed."""
    steps: tuple[Reason, ...] = ()
    """The result of the dice, modifier by modifier."""
    changes: tuple[Said, ...] = ()
    outcome: Said | None = None
    hint: Said | None = None
    legend: Said | None = None
    """A legend for dice whose faces show more than a number."""
    offers: tuple[Offer, ...] = ()


def find_best(odds: Sequence[Chances]) -> Chances | None:
    """Return the best odds of several attacks, by the headline chances in their order, or None without any.

    If no attack can have an effect, list each distinct reason once.
    """
    hopes = [one for one in odds if one.why is None]
    if not hopes:
        why = listed(dict.fromkeys(one.why for one in odds if one.why is not None))
        return replace(odds[0], why=why) if odds else None
    return max(hopes, key=lambda one: [hope.chance for hope in one.outlook])


def offer_prompts(prompts: Iterable[Prompt], **more: Any) -> tuple[Offer, ...]:
    """Return these prompts as offers of the assistant; ``more`` holds fields for every one, such as its dice."""
    return tuple(
        Offer(
            type=one.type,
            text=one.text,
            note=one.note,
            question=one.question,
            side=one.side,
            fields=one.fields,
            **more,
        )
        for one in prompts
    )


def plan_attack(game: GameState, wish: Wish, ways: Callable[[], tuple[Offer, ...]], *, acts: bool = True) -> Guide:
    """Return the assistant before the roll: two figures to choose, then facts and possible attacks.

    A chosen figure that is no longer on the table is dropped, with a hint: it may have fallen in the meantime.

    Args:
        game: the game.
        wish: the attack in question.
        ways: lists the attacks of the chosen figure.
        acts: whether it is that figure's turn.
    """
    missing = {name: why for name in (wish.attacker, wish.defender) if name and (why := _explain_missing(game, name))}
    attacker, defender = (None if name in missing else name for name in (wish.attacker, wish.defender))
    if attacker is None or defender is None:
        return Guide(stage="choose", attacker=attacker, defender=defender, hint=next(iter(missing.values()), None))
    ruling = rule_sight(game, attacker, defender) if game.ground else None
    offers = ways()
    is_ready = any(offer.refusal is None for offer in offers)
    return Guide(
        stage="plan",
        attacker=attacker,
        defender=defender,
        facts=_facts(ruling, wish),
        sight=() if ruling is None else ruling.reasons,
        hint=None if is_ready else explain_unready(attacker, acts=acts),
        offers=offers,
    )


def _explain_missing(game: GameState, figure: str) -> Said | None:
    """Explain why a figure can be part of no attack, or None if it can. A hidden figure counts as unknown."""
    piece = game.pieces.get(figure)
    if piece is None or not piece.on_table:
        return unknown_figure(figure).sentence
    if game.ground and not piece.cells and piece.center_mm is None:
        return said("nobody knows where {figure} stands; put it on the board by hand first", figure=figure)
    return None


def explain_unready(figure: str, *, acts: bool) -> Said:
    """Explain why a figure cannot attack: it is not its turn, or it has no attack left."""
    if acts:
        return said("{figure} has no attack ready now", figure=figure)
    return said("It is not {figure}'s turn now", figure=figure)


def mark_not_now(offer: Offer, figure: str) -> Offer:
    """Return the same attack for its odds alone, while it is not that figure's turn."""
    refusal = explain_unready(figure, acts=False)
    return replace(offer, roll=None, inputs=(), is_main=False, is_plan=False, refusal=refusal)


def _facts(ruling: Ruling | None, wish: Wish) -> SightFacts:
    if ruling is None:
        return SightFacts(from_table=False, range=wish.range, cover=wish.cover)
    return SightFacts(from_table=True, line_of_sight=ruling.line_of_sight, range=ruling.range, cover=ruling.cover)


def collect_typed(wish: Wish, *, has_cover: bool) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a command for facts that no camera has seen."""
    typed: list[tuple[str, Any]] = [] if wish.range is None else [("range", wish.range)]
    return (*typed, ("cover", wish.cover)) if has_cover else tuple(typed)


def speak(value: Any, language: str) -> Any:
    """Return a value as plain data, every sentence in that language."""
    if isinstance(value, Said):
        return value.worded(language)
    if isinstance(value, Struct):
        return {name: speak(getattr(value, name), language) for name in value.__struct_fields__}
    if isinstance(value, tuple | list):
        return [speak(part, language) for part in value]
    if isinstance(value, Mapping):
        return {name: speak(part, language) for name, part in value.items()}
    return msgspec.to_builtins(value)
