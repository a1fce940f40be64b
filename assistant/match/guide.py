"""The attack assistant, in one shape for all games: what is known, the odds, the dice, what may be done next.

A guide is built by the game (``match/guide.py`` in its folder) for what somebody has in mind, or for the
attack that is open. Nothing happens by asking for one; each of its offers is a command that waits for a finger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.match.asks import Cited
from assistant.match.audience import AttackQuery
from assistant.match.game import GameState, Name, Prompt
from assistant.match.rulings import rule_sight
from assistant.rules.ruling import Reason, Ruling
from assistant.translations.messages import Said, said


class Wish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack that somebody has in mind, as far as it is chosen; ``range`` and ``cover`` are told by hand.

    What is told by hand counts only where the match has seen no table.
    """

    attacker: Name | None = None
    defender: Name | None = None
    aimed: bool = False
    drop: str | None = None
    range: Annotated[int, Meta(ge=0, le=1_000)] | None = None
    cover: bool = False

    def question(self, **more: Any) -> AttackQuery:
        """The same as a question for odds; both figures must be chosen."""
        assert self.attacker is not None, "an attacker was chosen"
        assert self.defender is not None, "a defender was chosen"
        told = {"aimed": self.aimed, "range": self.range, "cover": self.cover, **more}
        return AttackQuery(attacker=self.attacker, defender=self.defender, **told)


class SightFacts(Struct, frozen=True, kw_only=True):
    """Sight, range and cover: of the table that the match has seen, or (``from_table`` false) as told by hand.

    Range counts cells or spaces, on a free table steps between the bases. None stands for what is not known.
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
    """The odds of an attack: each amount, what people ask first (a hit, a kill), and the mean."""

    amounts: tuple[Share, ...] = ()
    outlook: tuple[Share, ...] = ()
    mean: Said | None = None


class FaceButton(Struct, frozen=True, kw_only=True):
    """One face of a die: what stands on its button, and what the command says for it."""

    text: str
    value: Any


class Die(Struct, frozen=True, kw_only=True):
    """A die to be tapped, typed or rolled; ``shown`` is the face that lies there, where it may be rolled again.

    ``field`` is the command's field for a die that has one of its own; ``group`` the fighter whose die it is.
    """

    name: Said
    faces: tuple[FaceButton, ...]
    color: str = ""
    field: str = ""
    group: int = 0
    shown: str | None = None


class DiceInput(Struct, frozen=True, kw_only=True):
    """The dice of a command, and how it takes them when they are no dice of the program.

    ``pairs`` puts ``[colour, face]`` of each into ``field``, ``values`` the faces, ``groups`` the faces by
    fighter, ``fields`` each face into the die's own field. With ``picks`` people choose which dice; their places
    go into ``which``.
    """

    dice: tuple[Die, ...]
    form: Literal["pairs", "values", "groups", "fields"]
    field: str = "dice"
    picks: bool = False


class Choice(Struct, frozen=True, kw_only=True):
    """One of several values that a field may have."""

    value: str
    text: Said


class Input(Struct, frozen=True, kw_only=True):
    """A field of the command that a person fills in; ``wish`` says that odds and dice hang on it.

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
    """Something that may be done now: a command, what has to be filled in for it, its dice, its odds.

    ``refusal`` is the rules' sentence where they do not allow it as things stand, ``rule`` the id of the rule, and
    ``cited`` that rule with where it stands.
    """

    type: Name
    text: Said
    side: str | None = None
    fields: Mapping[str, Any] = {}
    inputs: tuple[Input, ...] = ()
    roll: DiceInput | None = None
    odds: Chances | None = None
    is_main: bool = False
    is_plan: bool = False
    """Whether it is the attack itself, which is checked against the rules before anybody rolls."""
    refusal: str | Said | None = None
    rule: str = ""
    cited: Cited | None = None


class Guide(Struct, frozen=True, kw_only=True):
    """What the assistant shows: before the roll facts and ways to attack, after it every step and its sum."""

    stage: Literal["choose", "plan", "open"]
    attacker: str | None = None
    defender: str | None = None
    facts: SightFacts | None = None
    sight: tuple[Reason, ...] = ()
    """Why sight, range and cover are as they are."""
    rolled: tuple[Die, ...] = ()
    """The dice of the open attack as they lie there, the program's and the typed ones alike."""
    steps: tuple[Reason, ...] = ()
    """What the dice have come to, modifier by modifier."""
    changes: tuple[Said, ...] = ()
    outcome: Said | None = None
    hint: Said | None = None
    legend: Said | None = None
    """How the faces of the dice read, for a game whose dice show more than a number."""
    offers: tuple[Offer, ...] = ()


def offer_prompts(prompts: Iterable[Prompt], **more: Any) -> tuple[Offer, ...]:
    """These prompts as offers of the assistant; ``more`` are fields of every one, such as its dice."""
    return tuple(Offer(type=one.type, text=one.text, side=one.side, fields=one.fields, **more) for one in prompts)


def plan_attack(game: GameState, wish: Wish, ways: Callable[[], tuple[Offer, ...]], *, acts: bool = True) -> Guide:
    """What the assistant shows before the roll: two figures to choose, then facts and the ways to attack.

    Args:
        game: the game.
        wish: what somebody has in mind.
        ways: tells the attacks of the chosen figure.
        acts: whether it is that figure's turn.

    Raises:
        UnknownName: one of the figures is not there.
    """
    if wish.attacker is None or wish.defender is None:
        return Guide(stage="choose", attacker=wish.attacker, defender=wish.defender)
    for name in (wish.attacker, wish.defender):
        game.piece(name)
    ruling = rule_sight(game, wish.attacker, wish.defender) if game.ground else None
    offers = ways()
    is_ready = any(offer.refusal is None for offer in offers)
    return Guide(
        stage="plan",
        attacker=wish.attacker,
        defender=wish.defender,
        facts=_facts(ruling, wish),
        sight=() if ruling is None else ruling.reasons,
        hint=None if is_ready else explain_unready(wish.attacker, acts=acts),
        offers=offers,
    )


def explain_unready(figure: str, *, acts: bool) -> Said:
    """Why a figure cannot attack: it is not its turn, or it has nothing to attack with in it."""
    if acts:
        return said("{figure} has no attack ready now", figure=figure)
    return said("It is not {figure}'s turn now", figure=figure)


def mark_not_now(offer: Offer, figure: str) -> Offer:
    """The same attack for its odds alone: it is not that figure's turn to make it."""
    refusal = explain_unready(figure, acts=False)
    return replace(offer, roll=None, inputs=(), is_main=False, is_plan=False, refusal=refusal)


def _facts(ruling: Ruling | None, wish: Wish) -> SightFacts:
    if ruling is None:
        return SightFacts(from_table=False, range=wish.range, cover=wish.cover)
    return SightFacts(from_table=True, line_of_sight=ruling.line_of_sight, range=ruling.range, cover=ruling.cover)


def collect_told(wish: Wish, *, has_cover: bool) -> tuple[tuple[str, Any], ...]:
    """The fields of a command that say what no camera has seen."""
    told: list[tuple[str, Any]] = [] if wish.range is None else [("range", wish.range)]
    return (*told, ("cover", wish.cover)) if has_cover else tuple(told)


def speak(value: Any, language: str) -> Any:
    """A guide or a part of it as plain data, every sentence in that language."""
    if isinstance(value, Said):
        return value.worded(language)
    if isinstance(value, Struct):
        return {name: speak(getattr(value, name), language) for name in value.__struct_fields__}
    if isinstance(value, tuple | list):
        return [speak(part, language) for part in value]
    if isinstance(value, Mapping):
        return {name: speak(part, language) for name, part in value.items()}
    return msgspec.to_builtins(value)
