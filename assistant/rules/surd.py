"""Numbers ``a + b * sqrt(n)``: what the edge of a round base needs to be met exactly.

The outermost points of a round base, as seen from another figure, have no rational coordinates; their
signs, sums, products and quotients can be told exactly all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from assistant.table.plane import Exact, sign


def rational_root(square: Fraction) -> Fraction | None:
    """The square root of a number that is not negative, or None if it is no fraction."""
    numerator, denominator = isqrt(square.numerator), isqrt(square.denominator)
    if numerator**2 != square.numerator or denominator**2 != square.denominator:
        return None
    return Fraction(numerator, denominator)


def surd_sign(whole: Exact, part: Exact, radicand: Exact) -> int:
    """The sign of ``whole + part * sqrt(radicand)``, by squares and without any root."""
    by_whole, by_part = sign(whole), sign(part)
    if by_whole * by_part >= 0:
        return by_whole or by_part
    return by_whole * sign(whole * whole - part * part * radicand)


@dataclass(frozen=True, slots=True)
class Surd:
    """The number ``whole + part * sqrt(radicand)``.

    The radicand is positive and no square of a fraction, so that only 0 has the parts 0 and 0; numbers
    that meet in a calculation share it (one with ``part`` 0 goes with any).
    """

    whole: Exact
    part: Exact = 0
    radicand: Exact = 2

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
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
        norm = other.whole**2 - other.part**2 * other.radicand
        return self * Surd(other.whole, -other.part, other.radicand) * (Fraction(1) / norm)

    def __lt__(self, other: Surd | Exact) -> bool:
        return (self - other).sign < 0

    def __le__(self, other: Surd | Exact) -> bool:
        return (self - other).sign <= 0

    def __gt__(self, other: Surd | Exact) -> bool:
        return (self - other).sign > 0

    def __ge__(self, other: Surd | Exact) -> bool:
        return (self - other).sign >= 0

    def __float__(self) -> float:
        return float(self.whole + self.part * root(Fraction(self.radicand)))

    def _shared(self, other: Surd) -> Exact:
        return self.radicand if self.part else other.radicand


def root(square: Fraction) -> Fraction:
    """The square root of a number that is not negative, cut off after 30 more digits than a float has."""
    scale = 10**46
    product = square.numerator * square.denominator
    return Fraction(isqrt(product * scale**2), square.denominator * scale)
