"""The generator of ray-traced scenes, which lies beside the project, and what it needs to run."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import click

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "scenes" / "make"
BLENDER_SIDE = Path(__file__).with_name("blender_side.py")
TEXT_KEPT = 2000
"""Most characters of Blender's output in an error."""


def load_generator() -> ModuleType:
    """Return its module ``make_scenes``: lights, bodies, table tops, cameras, and what a camera makes of linear light.

    Raises:
        ClickException: it, Blender or the reader of its pictures is not there; says which.
    """
    path = FOLDER / "make_scenes.py"
    if not path.is_file():
        raise click.ClickException(f"Ray-traced tables need the generator of scenes, which is not in {FOLDER}.")
    if shutil.which("blender") is None:
        raise click.ClickException("Ray-traced tables need Blender: apt-get install --no-install-recommends blender")
    if importlib.util.find_spec("OpenEXR") is None:
        raise click.ClickException("Ray-traced tables need the reader of Blender's pictures: pip install OpenEXR")
    spec = importlib.util.spec_from_file_location("make_scenes", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def trace(job: Path, picture: Path) -> None:
    """Render a job into its picture of linear light; what is there already stays.

    Raises:
        ClickException: Blender made no picture; with the end of what it said.
    """
    picture.parent.mkdir(parents=True, exist_ok=True)
    if picture.exists():
        return
    arguments = ["blender", "-b", "-noaudio", "-P", str(BLENDER_SIDE), "--", str(FOLDER / "render.py"), str(job)]
    said = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if not picture.exists():
        raise click.ClickException(f"Blender made no picture of {job}:\n{(said.stdout + said.stderr)[-TEXT_KEPT:]}")
