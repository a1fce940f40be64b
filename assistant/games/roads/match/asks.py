"""What is the game's own to ask for a command: ways to move and to react, hits that people roll, what came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.match.weapons import carried, count_hands, is_of_kind, weapon
from assistant.match.asks import Ask, Command, Pick, ask_figure, ask_number, ask_thing
from assistant.match.audience import Audience
from assistant.translations.messages import Said, as_told, named, said, said_in

DEEDS: Mapping[str, Said] = {
    "manoeuvre": said("Climb or jump"),
    "found": said("A camouflaged model is found"),
    "stand_up": said("A model stands up"),
    "wield": said("Change weapons"),
    "crawl": said("A downed model crawls away"),
    "clear_jam": said("A jammed weapon is ready again"),
    "hold_back": said("Judge's ruling: it need not charge"),
    "wound": said("Wounds by hand"),
}
"""What may be done besides what is prompted."""

BY_HAND = frozenset({"wound"})

_REACTIONS: tuple[tuple[str, Said], ...] = (
    ("duck", said("ducks")),
    ("take cover", said("takes cover")),
    ("shoot first", said("tries to shoot first")),
)

_MANOEUVRES: tuple[tuple[str, Said], ...] = (
    ("climb", said("climbs up")),
    ("descend", said("climbs down")),
    ("gap", said("jumps over a gap")),
    ("down", said("jumps down")),
    ("leap", said("makes a giant leap")),
)


def ask_about(game: MatchRoads, command: Command, field: str, audience: Audience) -> Ask | None:
    """What is asked about a field; None where its type says it all, or people tell it elsewhere."""
    asked = _ASKS.get((str(command["type"]), field))
    return None if asked is None else asked(game, command)


def _how(game: MatchRoads, command: Command) -> Ask:
    return ask_thing("how", said("How?"), _REACTIONS)


def _hits(game: MatchRoads, command: Command) -> Ask:
    return ask_number("hits", said("How many hits?"), range(5))


def _total(game: MatchRoads, command: Command) -> Ask | None:
    reaction = game.reaction
    if reaction is None or reaction.is_first or reaction.how == "shoot first":
        return None
    text = said("Total of the shooter's roll? {figure} has {total}", figure=reaction.figure, total=reaction.total)
    return ask_number("total", text, range(1, 13), value=reaction.total)


def _wounds(game: MatchRoads, command: Command) -> Ask:
    return ask_number("wounds", said("Wounds after armour"), range(4))


def _is_out(game: MatchRoads, command: Command) -> bool:
    """Whether a model has as many wounds with these as put it out."""
    limit, wounds = _limit(game, command), command.get("wounds")
    if limit is None or not isinstance(wounds, int):
        return False
    return game.piece(str(command["figure"])).harm + wounds >= limit


def _limit(game: MatchRoads, command: Command) -> int | None:
    """How many wounds put the model out; None where people say it."""
    name = str(command.get("figure"))
    return game.fighter(name).out_at if name in game.pieces else None


def _down(game: MatchRoads, command: Command) -> Ask | None:
    """Whether it lies now; nobody is asked about a model that is out by its wounds."""
    if _is_out(game, command):
        return None
    return ask_thing("down", said("Knocked down"), ((False, said("no")), (True, said("yes"))))


def _out(game: MatchRoads, command: Command) -> Ask | None:
    """Whether it is out; where the set-up says how many wounds that takes, it follows from them."""
    if _limit(game, command) is not None:
        return None
    return ask_thing("out", said("Out of the game"), ((False, said("no")), (True, said("yes"))))


def _edge(game: MatchRoads, command: Command) -> Ask:
    picks = ((False, said("It stays on the table")), (True, said("It reaches the edge and is out")))
    return ask_thing("reaches_edge", said("How far?"), picks)


def _avoids(game: MatchRoads, command: Command) -> Ask:
    picks = ((False, said("It goes into the melee")), (True, said("It keeps out of the melee")))
    return ask_thing("avoids", said("Which?"), picks)


def _stays(game: MatchRoads, command: Command) -> Ask:
    return ask_thing("stays", said("Which?"), ((False, said("It advances")), (True, said("It stays"))))


def _jammed(game: MatchRoads, command: Command) -> Ask:
    spent = game.spent.get(str(command.get("figure")), ())
    return ask_thing("weapon", said("Which weapon?"), ((name, named([name])) for name in spent))


def _shooting(game: MatchRoads, command: Command) -> Ask | None:
    """What a model shoots with, of what it carries; where the set-up describes none of it, people know."""
    owned = dict.fromkeys(carried(game, str(command.get("figure"))))
    if not any(weapon(game, name) for name in owned):
        return None
    picks = ((name, named([name])) for name in owned if not is_of_kind(game, name, "melee"))
    return ask_thing("weapon", said("Which weapon?"), picks)


def _wielded(game: MatchRoads, command: Command) -> Ask:
    owned = carried(game, str(command.get("figure")))
    listed = ask_thing("weapons", said("Which weapons?"), (([name], named([name])) for name in owned))
    return replace(listed, most=max(1, count_hands(game, str(command.get("figure")))))


def _kind(game: MatchRoads, command: Command) -> Ask:
    return ask_thing("kind", said("How?"), _MANOEUVRES)


def _steps(game: MatchRoads, command: Command) -> Ask:
    return ask_number("steps", said("How many steps high or wide?"), range(1, 6))


def _fighting(game: MatchRoads, command: Command) -> Ask:
    pair = () if game.duel is None else game.duel.fighters
    return ask_figure("figure", said("Who?"), pair)


def _why(game: MatchRoads, command: Command) -> Ask:
    return ask_thing(
        "why", said("Why?"), (("block", said_in("melee", "block")), ("hatred", said_in("melee", "hatred")))
    )


def _which(game: MatchRoads, command: Command) -> Ask | None:
    """The own dice that hatred rolls again; which of the enemy's a shield does follows from the rules."""
    duel, figure = game.duel, command.get("figure")
    if duel is None or command.get("why") != "hatred" or figure not in duel.fighters:
        return None
    faces = duel.rolls[duel.fighters.index(str(figure))].final
    picks = tuple(Pick(value=[place], text=as_told(str(face))) for place, face in enumerate(faces))
    return Ask(field="which", kind="thing", text=said("Which dice?"), picks=picks, most=max(2, len(picks)))


_ASKS: Mapping[tuple[str, str], Callable[[MatchRoads, Command], Ask | None]] = {
    ("react", "how"): _how,
    ("shoot", "weapon"): _shooting,
    ("shoot", "hits"): _hits,
    ("shoot", "total"): _total,
    ("wound", "wounds"): _wounds,
    ("wound", "down"): _down,
    ("wound", "out"): _out,
    ("flee", "reaches_edge"): _edge,
    ("draw_in", "avoids"): _avoids,
    ("advance", "stays"): _stays,
    ("clear_jam", "weapon"): _jammed,
    ("wield", "weapons"): _wielded,
    ("manoeuvre", "kind"): _kind,
    ("manoeuvre", "steps"): _steps,
    ("reroll", "figure"): _fighting,
    ("reroll", "why"): _why,
    ("reroll", "which"): _which,
}
