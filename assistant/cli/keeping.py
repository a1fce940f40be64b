"""Where commands keep what they find: the options they share, and files that the user named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import platformdirs

from assistant.profiles import ProfileKind, Profiles
from assistant.translations.messages import message

DATA = Path(platformdirs.user_data_dir("sightline"))
DEMO_DATA = Path(platformdirs.user_data_dir("sightline-demo"))
"""Where a demo keeps its matches: a real table may be open at the same time, and its matches are not for trying out."""

data_option: Callable[[Any], Any] = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=DATA,
    envvar="SIGHTLINE_DATA",
    show_default=message("the system's folder for program data"),
    help="The data folder.",
)

keep_option: Callable[[Any], Any] = click.option(
    "--keep", metavar="NAME", help="Keep the result under this name in the data folder, too."
)


def keep_document(kind: ProfileKind, name: str | None, document: str, data: Path) -> str:
    """The document, which is kept under the name first if there is one."""
    if name is not None:
        Profiles(data).keep(kind, name, document.encode())
    return document
