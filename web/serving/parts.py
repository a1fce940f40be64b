"""How a feature comes by what it needs of the running page, without knowing the rest of it."""

from __future__ import annotations

from typing import Generic, TypeVar

from flask import Flask, current_app

T = TypeVar("T")


class FeatureNeeds(Generic[T]):
    """What one feature needs of the page: given once, when the application is made, and read by its routes.

    Args:
        feature: the feature's name, different from all others'.
    """

    def __init__(self, feature: str) -> None:
        self._key = f"sightline.{feature}"

    def give(self, app: Flask, part: T) -> None:
        """Lets the feature's routes in this application find what they need."""
        app.extensions[self._key] = part

    def __call__(self) -> T:
        """The part of the application that answers the current request."""
        part: T = current_app.extensions[self._key]
        return part
