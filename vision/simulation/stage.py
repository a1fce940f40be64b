"""What is rendered, as values: bodies on a table, in their light."""

from __future__ import annotations

from dataclasses import dataclass

from vision.simulation.arrays import LightImage
from vision.simulation.lighting import Lighting
from vision.simulation.meshes import Mesh
from vision.simulation.surfaces import Surface, TableTop


@dataclass(frozen=True)
class Body:
    """A mesh on the table; ``texture`` (H, W, 3), linear, is shown by its textured faces.

    A coarse one is shaded without sculpted detail and without its own shadows on itself: hands that hurry by.
    """

    name: str
    mesh: Mesh
    texture: LightImage | None = None
    gloss: float = 0.12
    is_coarse: bool = False


@dataclass(frozen=True)
class Stage:
    """Everything that is seen: the table, what lies flat on it, the tiles' tops, the bodies and the light."""

    table_top: TableTop
    table_gloss: float
    ground: Surface
    board: Surface
    bodies: tuple[Body, ...]
    lighting: Lighting

    def without(self, names: frozenset[str]) -> tuple[Body, ...]:
        """The bodies that are not among the named ones."""
        return tuple(body for body in self.bodies if body.name not in names)
