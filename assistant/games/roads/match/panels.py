"""What is counted of a skirmish: how many of each side are out."""

from __future__ import annotations

from assistant.games.roads.match.state import MatchRoads
from assistant.match.panels import Fact, Panel
from assistant.translations.messages import named, said


def list_panels(game: MatchRoads) -> tuple[Panel, ...]:
    """The score, which everybody sees."""
    facts = (
        Fact(
            name=named([side]),
            value=said("out: {have} of {need}", have=game.out_count(side), need=game.starting_count(side)),
        )
        for side in game.setup.sides
    )
    return (Panel(title=said("Score"), facts=tuple(facts)),)
