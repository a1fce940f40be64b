"""What is rendered, as values: bodies on a table, in their light."""

from __future__ import annotations

from dataclasses import dataclass

from vision.simulation.arrays import LightImage
from vision.simulation.finish import AS_NEW
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
    """Everything that is seen: the table, what lies flat on it, the tiles' tops, the bodies and the light.

    ``print_gloss`` is how strongly and how sharply (an exponent) the tiles' tops mirror the lamp, ``print_veil`` the
    share of the room's light that they mirror, ``bounce`` how much of the light that is shadowed comes back.
    """

    table_top: TableTop
    table_gloss: float
    ground: Surface
    board: Surface
    bodies: tuple[Body, ...]
    lighting: Lighting
    print_gloss: tuple[float, float] = AS_NEW.gloss
    print_veil: float = 0.0
    bounce: float = 0.0

    def without(self, names: frozenset[str]) -> tuple[Body, ...]:
        """The bodies that are not among the named ones."""
        return tuple(body for body in self.bodies if body.name not in names)
