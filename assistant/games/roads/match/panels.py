"""What is counted of a skirmish: how many of each side are out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assistant.games.roads.match.state import MatchRoads
from assistant.match.panels import Fact, Panel
from assistant.translations.messages import Said, named, said


def list_panels(game: MatchRoads) -> tuple[Panel, ...]:
    """The score, which everybody sees."""
    facts = (
        Fact(
            name=named([side]),
            value=said("out: {have} of {need}", have=game.out_count(side), need=game.starting_count(side)),
        )
        for side in game.setup.sides
    )
    return (Panel(title=said("Score"), facts=tuple(facts), standing=tuple(_standing(game))),)


def _standing(game: MatchRoads) -> Iterator[Said]:
    """Whose losses are the smaller part: rout tests are taken on it, and whose last model is out has lost (C3)."""
    sides = game.setup.sides
    lost = {side: Fraction(game.out_count(side), max(1, game.starting_count(side))) for side in sides}
    least = min(lost.values())
    ahead = [side for side in sides if lost[side] == least]
    if len(ahead) == len(sides):
        yield said("Level: each side has lost as large a part of its models")
    else:
        yield said("Ahead by losses: {sides}", sides=named(ahead))
    for side in sides:
        left = len(game.standing(side))
        yield said("{side}: still standing: {left} of {need}", side=side, left=left, need=game.starting_count(side))
