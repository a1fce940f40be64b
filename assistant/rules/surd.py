"""Numbers ``a + b * sqrt(n)``, with exact signs, sums, products and quotients: the field Q(sqrt n).

The outermost points of a round base, as seen from another figure, have no rational coordinates. They are such numbers,
and one calculation only ever involves one ``n``: that of the line to those points.

No decision takes a root. The sign of ``a + b * sqrt(n)`` is clear if both terms agree. If they differ, the larger
square wins, and squares are rational. A comparison is the sign of a difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from assistant.table.plane import Exact, sign


def rational_root(square: Fraction) -> Fraction | None:
    """Return the square root of a non-negative number, or None if it is irrational."""
    numerator, denominator = isqrt(square.numerator), isqrt(square.denominator)
    if numerator**2 != square.numerator or denominator**2 != square.denominator:
        return None
    return Fraction(numerator, denominator)


def surd_sign(whole: Exact, part: Exact, radicand: Exact) -> int:
    """Return the sign of ``whole + part * sqrt(radicand)``."""
    by_whole, by_part = sign(whole), sign(part)
    if not by_part or by_whole * by_part >= 0:
        return by_whole or by_part
    return by_whole * sign(whole * whole - part * part * radicand)


@dataclass(frozen=True, slots=True)
class Surd:
    """The number ``whole + part * sqrt(radicand)``.

    Invariant: the radicand is positive and no square of a fraction, so only 0 has the parts 0 and 0. The trap: numbers
    in one calculation must share the radicand, unless ``part`` of one is 0. Nothing checks this, for speed.
    """

    whole: Exact
    part: Exact = 0
    radicand: Exact = 2

    @property
    def sign(self) -> int:
        return surd_sign(self.whole, self.part, self.radicand)

    def __add__(self, other: Surd | Exact) -> Surd:
        if not isinstance(other, Surd):
            return Surd(self.whole + other, self.part, self.radicand)
        return Surd(self.whole + other.whole, self.part + other.part, self._shared(other))

    def __neg__(self) -> Surd:
        return Surd(-self.whole, -self.part, self.radicand)

    def __sub__(self, other: Surd | Exact) -> Surd:
        return self + (-other)

    def __mul__(self, other: Surd | Exact) -> Surd:
        if not isinstance(other, Surd):
            return Surd(self.whole * other, self.part * other, self.radicand)
        radicand = self._shared(other)
        whole = self.whole * other.whole + self.part * other.part * radicand
        return Surd(whole, self.whole * other.part + self.part * other.whole, radicand)

    def __truediv__(self, other: Surd) -> Surd:
        if not other.part:
            return Surd(Fraction(self.whole, other.whole), Fraction(self.part, other.whole), self.radicand)
        # Times the conjugate: (a + b√n)(a - b√n) = a² - b²n is rational, and not 0 as n is no square.
        norm = other.whole**2 - other.part**2 * other.radicand
        times = self * Surd(other.whole, -other.part, other.radicand)
        return Surd(Fraction(times.whole, norm), Fraction(times.part, norm), times.radicand)

    def __lt__(self, other: Surd | Exact) -> bool:
        return self._compared(other) < 0

    def __le__(self, other: Surd | Exact) -> bool:
        return self._compared(other) <= 0

    def __gt__(self, other: Surd | Exact) -> bool:
        return self._compared(other) > 0

    def __ge__(self, other: Surd | Exact) -> bool:
        return self._compared(other) >= 0

    def _compared(self, other: Surd | Exact) -> int:
        """Return the sign of the difference. A positive multiple has the same sign, so no fraction is reduced."""
        than = other if isinstance(other, Surd) else Surd(other)
        above, below = _difference(self.whole, than.whole)
        if not self.part and not than.part:
            return sign(above)
        above_part, below_part = _difference(self.part, than.part)
        return surd_sign(above * below_part, above_part * below, self._shared(than))

    def __float__(self) -> float:
        return float(self.whole + self.part * root(Fraction(self.radicand)))

    def _shared(self, other: Surd) -> Exact:
        return self.radicand if self.part else other.radicand


def _difference(a: Exact, b: Exact) -> tuple[int, int]:
    """Return the numerator and the positive denominator of a difference, not reduced."""
    return a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator


def root(square: Fraction) -> Fraction:
    """Return the square root of a non-negative number, truncated after 30 more digits than a float has."""
    scale = 10**46
    product = square.numerator * square.denominator
    return Fraction(isqrt(product * scale**2), square.denominator * scale)
