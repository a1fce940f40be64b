"""Roads of the Apocalypse: turns by side, tests when the rules demand them, melee, rout."""

from assistant.match.roads import melee_steps, model_steps, reaction_steps, shot_steps, turn_steps, wound_steps
from assistant.match.roads.advice import advise
from assistant.match.roads.guide import guide
from assistant.match.roads.setup import SetupRoads
from assistant.match.roads.start import start
from assistant.match.roads.state import Roads
from assistant.match.roads.view import prompts, tracker, view
from assistant.match.systems import System
from assistant.rules.phrases_roads_melee import MELEE_RULES

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
