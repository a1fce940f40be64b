"""DOOM: The Boardgame (2004): marines in their order, the invader's three steps, orders, wounds and ammunition."""

from assistant.match.doom2004 import attack_steps, invader_steps, turn_steps
from assistant.match.doom2004.advice import advise
from assistant.match.doom2004.setup import Setup2004
from assistant.match.doom2004.start import start
from assistant.match.doom2004.state import Doom2004
from assistant.match.doom2004.view import prompts, tracker, view

STEPS = (*turn_steps.STEPS, *attack_steps.STEPS, *invader_steps.STEPS)

__all__ = ["STEPS", "Doom2004", "Setup2004", "advise", "prompts", "start", "tracker", "view"]
