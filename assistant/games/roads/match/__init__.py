"""Roads of the Apocalypse: turns by side, tests when the rules demand them, melee, rout."""

from assistant.games.roads.match import melee_steps, model_steps, reaction_steps, shot_steps, turn_steps, wound_steps
from assistant.games.roads.match.advice import advise
from assistant.games.roads.match.guide import guide
from assistant.games.roads.match.setup import SetupRoads
from assistant.games.roads.match.start import start
from assistant.games.roads.match.state import Roads
from assistant.games.roads.match.view import prompts, tracker, view
from assistant.games.roads.rules.melee_reasons import MELEE_RULES
from assistant.match.systems import System

STEPS = (
    *turn_steps.STEPS,
    *model_steps.STEPS,
    *shot_steps.STEPS,
    *reaction_steps.STEPS,
    *melee_steps.STEPS,
    *wound_steps.STEPS,
)

SYSTEM = System(
    ruleset=Roads.ruleset,
    setup=SetupRoads,
    game=Roads,
    steps=STEPS,
    begin=start,
    view=view,
    prompts=prompts,
    tracker=tracker,
    advise=advise,
    guide=guide,
    attack_rules=MELEE_RULES,
)
"""What the session needs of this system."""
