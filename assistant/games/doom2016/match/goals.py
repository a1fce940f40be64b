"""Each side's goals in a mission of DOOM 2016, with their spaces."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.games.doom2016.match.setup import Trigger, WinMission
from assistant.games.doom2016.match.state import Match2016
from assistant.match.audience import Goal
from assistant.match.game import INVADER, MARINES
from assistant.match.ground import door_in_words, door_of, find_door_places, list_closed_doors, name_area, word_thing
from assistant.translations.messages import Said, counted, either, listed, said


def list_goals(game: Match2016) -> tuple[Goal, ...]:
    """Return the marines' goals, the invader's, then those on the mission's cards."""
    return (*_list_marines(game), *_list_invader(game), *_list_cards(game))


def _list_invader(game: Match2016) -> Iterator[Goal]:
    need = game.setup.goals.frags.get(str(len(game.setup.marines)))
    if need is not None:
        left = max(0, need - game.frags)
        text = counted("Frag marines: {n} more frag wins", "Frag marines: {n} more frags win", left)
        if not game.frags:
            text = counted("Frag a marine", "Frag marines {n} times", need)
        yield Goal(side=INVADER, text=text)


def _list_marines(game: Match2016) -> Iterator[Goal]:
    goals = game.setup.goals
    if goals.objectives:
        left = max(0, goals.objectives - game.objectives)
        there = [item for item in game.items if item.kind == "objective"]
        what = listed(word_thing(game, item.id, item.cell) for item in there)
        if there and len(there) == left:
            text = said("Fetch {what}", what=what)
        elif there:
            text = counted("Fetch {what}: {n} wins", "Fetch {what}: {n} win", left, what=what)
        elif game.objectives:
            text = counted("Fetch {n} more objective token", "Fetch {n} more objective tokens", left)
        else:
            text = counted("Fetch {n} objective token", "Fetch {n} objective tokens", left)
        yield Goal(side=MARINES, text=text, places=tuple((item.cell,) for item in there))
    if goals.tutorial:
        left = len(game.standing(INVADER))
        text = counted("Frag every demon: {n} on the board", "Frag every demon: {n} on the board", left)
        doors = () if game.doors_open else list_closed_doors(game)
        if doors:
            one_of = either([door_in_words(game, door) for door in doors])
            text = said("1. {first}. 2. {then}", first=said("Open {door}", door=one_of), then=text)
        elif not game.doors_open:
            text = said("1. {first}. 2. {then}", first=said("Open a door"), then=text)
        places = (place for door in doors for place in find_door_places(game, door.id))
        yield Goal(side=MARINES, text=text, places=tuple(places))


def _list_cards(game: Match2016) -> Iterator[Goal]:
    """Yield the goals of threat and objective cards that end the mission at once."""
    for trigger in game.setup.triggers:
        winner = next((outcome.side for outcome in trigger.outcomes if isinstance(outcome, WinMission)), None)
        if winner is not None and trigger.name not in game.fired:
            text, places = _word_trigger(game, trigger)
            yield Goal(side=winner, text=said("{card}: {what}", card=trigger.name, what=text), places=places)


def _word_trigger(game: Match2016, trigger: Trigger) -> tuple[Said, tuple[tuple[tuple[int, int], ...], ...]]:
    if trigger.on == "door_opened" and trigger.door is None:
        return said("a marine opens any door"), ()
    if trigger.on == "door_opened":
        places = find_door_places(game, str(trigger.door))
        door = door_in_words(game, door_of(game, str(trigger.door))) if places else str(trigger.door)
        return said("a marine opens {door}", door=door), places
    if trigger.on == "area_entered":
        area = name_area(game, trigger.area) or said("the area of the card")
        return said("a marine enters {area}", area=area), tuple((cell,) for cell in sorted(trigger.area))
    if trigger.round is None:
        return said("the next round begins"), ()
    return said("round {round} begins", round=trigger.round), ()
