"""The file of a Foundry scene, and the selection of one of its levels.

From version 14 on a scene has levels. A wall is on the levels that it names, or on all if it names none. A token is on
one level. Names are those of Foundry's own documents (foundryvtt.com/api/v14: Scene, Level, Wall).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from assistant.documents.exchange import MAX_LINES, too_many
from assistant.documents.reading import decode_fields
from assistant.errors import BadValue
from assistant.table.board import EdgeKind
from assistant.table.fields import CellPair, Name
from assistant.translations.messages import Said, counted, said

GRID_PX = 100
OWN = "sightline"
SQUARE = 1
STOPS, PASSES = 20, 0
DEFAULT_LEVEL = "defaultLevel0000"
"""The id of the only level of a scene from an older version."""


class OwnScene(Struct, frozen=True):
    """Our own data of a scene."""

    cells: list[CellPair]
    origin: CellPair
    cell_mm: float
    difficult: list[CellPair] = []
    blocking: list[CellPair] = []
    edges: list[tuple[CellPair, CellPair, EdgeKind]] = []


class SceneFlags(Struct, frozen=True):
    """The flags of a scene."""

    sightline: OwnScene | None = None


class OwnDoor(Struct, frozen=True):
    """Our own data of a wall."""

    door: Name | None = None
    rim: bool = False


class WallFlags(Struct, frozen=True):
    """The flags of a wall."""

    sightline: OwnDoor | None = None


OLD_SENSES = {0: PASSES, 1: STOPS, 2: 10}
"""Maps ``sense`` of versions before 9 to ``sight`` of later ones: none, normal, limited."""


class SceneWall(Struct):
    """A wall or door. Without ``levels`` it is on all. ``sense`` is the ``sight`` of versions before 9."""

    c: tuple[float, float, float, float]
    move: int = STOPS
    sight: int = STOPS
    sense: int | None = None
    light: int = PASSES
    sound: int = PASSES
    dir: int = 0
    door: int = 0
    ds: int = 0
    levels: list[str] = []
    flags: WallFlags = WallFlags()

    def __post_init__(self) -> None:
        if self.sense is not None:
            self.sight = OLD_SENSES.get(self.sense, STOPS)


class OwnFigure(Struct, frozen=True):
    """Our own data of a token."""

    id: Name
    kind: Name
    side: Name


class TokenFlags(Struct, frozen=True):
    """The flags of a token."""

    sightline: OwnFigure | None = None


class SceneToken(Struct):
    """A token, on one level."""

    x: float
    y: float
    width: float = 1
    height: float = 1
    name: str = ""
    level: str | None = None
    flags: TokenFlags = TokenFlags()


class SceneGrid(Struct, frozen=True):
    """The grid."""

    size: float = GRID_PX
    type: int = SQUARE


class ScenePicture(Struct, frozen=True):
    """A picture."""

    src: Any = None


class SceneLevel(Struct, frozen=True, rename={"id": "_id"}):
    """A level of version 14."""

    id: str = ""
    name: str = ""
    background: ScenePicture | None = None
    foreground: ScenePicture | None = None


class FoundryScene(Struct):
    """A scene of versions up to 14, reduced to the fields that a board uses or reports as losses."""

    width: float
    height: float
    walls: list[SceneWall]
    grid: SceneGrid | float = SceneGrid()
    gridType: int = SQUARE
    padding: float | None = None
    tokens: list[SceneToken] = []
    lights: list[msgspec.Raw] = []
    drawings: list[msgspec.Raw] = []
    notes: list[msgspec.Raw] = []
    sounds: list[msgspec.Raw] = []
    tiles: list[msgspec.Raw] = []
    regions: list[msgspec.Raw] = []
    img: Any = None
    background: ScenePicture | None = None
    levels: list[SceneLevel] = []
    initialLevel: str | None = None
    flags: SceneFlags = SceneFlags()


def scene_from_json(data: bytes, document: str) -> FoundryScene:
    """Read the scene of a file.

    Raises:
        DocumentError: it is not a scene with a square grid, or is too large.
    """
    scene = decode_fields(data, FoundryScene, document)
    kind = scene.grid.type if isinstance(scene.grid, SceneGrid) else scene.gridType
    if kind != SQUARE:
        raise BadValue(
            said("The scene has no square grid. Set its grid to squares in Foundry."),
            document=document,
            field="grid.type",
        )
    for name in ("walls", "tokens", "levels"):
        if len(getattr(scene, name)) > MAX_LINES:
            raise too_many(name, document)
    return scene


def level_of(
    scene: FoundryScene, wanted: str, document: str
) -> tuple[FoundryScene, SceneLevel | None, tuple[Said, ...]]:
    """Return the scene reduced to one level's walls and tokens, that level, and the losses.

    ``wanted`` is its name or id. An empty string means the level that the scene opens on, or else the first.

    Raises:
        BadValue: there is no such level.
    """
    opens = wanted or scene.initialLevel or ""
    level = next((one for one in scene.levels if opens in (one.id, one.name)), None)
    if wanted and level is None:
        names = ", ".join(one.name or one.id for one in scene.levels) or "–"
        text = said("The scene has no level “{level}”. Choose one of: {names}.", level=wanted[:60], names=names[:200])
        raise BadValue(text, document=document, field="levels")
    level = level or next(iter(scene.levels), None)
    if level is None:
        return scene, None, ()
    chosen = level.id
    walls = [wall for wall in scene.walls if not wall.levels or chosen in wall.levels]
    tokens = [token for token in scene.tokens if token.level in (None, chosen) or len(scene.levels) == 1]
    taken = msgspec.structs.replace(scene, walls=walls, tokens=tokens)
    return taken, level, tuple(_left_on_others(scene, taken, level))


def _left_on_others(scene: FoundryScene, taken: FoundryScene, level: SceneLevel) -> Iterator[Said]:
    if n := len(scene.levels) - 1:
        yield counted(
            "only the level “{level}” was imported; {n} other was left out",
            "only the level “{level}” was imported; {n} others were left out",
            n,
            level=level.name or level.id,
        )
    if n := len(scene.walls) - len(taken.walls):
        yield counted("{n} wall of other levels was left out", "{n} walls of other levels were left out", n)
    if n := len(scene.tokens) - len(taken.tokens):
        yield counted("{n} token of other levels was left out", "{n} tokens of other levels were left out", n)
