"""Lengths in steps, in words."""

from __future__ import annotations

from fractions import Fraction

from assistant.translations.messages import Said, counted, said


def tell_steps(steps: float | Fraction) -> Said:
    """So many steps, as each language counts them."""
    if steps == int(steps):
        return counted("{n} step", "{n} steps", int(steps))
    return said("{steps} steps", steps=float(steps))
