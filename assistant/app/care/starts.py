"""Counts consecutive failed starts of the real table, and decides when to start in safe mode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from assistant.errors import CannotDo, InputError, StoreError
from assistant.kept_files import read_kept, write_kept
from assistant.settings import Settings
from assistant.translations.messages import said

UP_S = 20.0
"""Uptime in seconds after which a start counts as successful. A later failure is not a failed start."""

MOST_FAILED = 2


class SafeMode(CannotDo):
    """The page runs in safe mode, with much of the program left out on purpose."""

    sentence = said(
        "Sightline runs in safe mode: without camera, light, saved set-up, last match, recording, tournament and "
        "TUIO. You can upload photos and open matches; “sightline doctor” looks for the fault. To leave safe "
        "mode, stop Sightline and start it again."
    )


@dataclass(frozen=True)
class Starts:
    """The starts of one data folder.

    Args:
        folder: the data folder. If it is not writable, nothing is counted.
    """

    folder: Path

    @property
    def failed(self) -> int:
        """Failed starts since the last successful one."""
        try:
            kept = msgspec.json.decode(read_kept(self._path) or b"0")
        except (StoreError, msgspec.DecodeError, UnicodeDecodeError):
            return 0
        return kept if isinstance(kept, int) and not isinstance(kept, bool) else 0

    @property
    def is_safe_due(self) -> bool:
        """Whether the next start should be in safe mode."""
        return self.failed >= MOST_FAILED

    @contextmanager
    def counted(self, *, is_named: bool) -> Iterator[None]:
        """Count a start as failed from the outset, because a killed program cannot report it later.

        A refusal that safe mode would not cure is not a failed start: the page's port or the data folder is taken, or a
        document, camera or set-up that this call names cannot be used.

        Args:
            is_named: whether this call names documents, a camera or a set-up.
        """
        self._keep(self.failed + 1)
        try:
            yield
        except InputError:
            if is_named:
                self._keep(self.failed - 1)
            raise
        except CannotDo:
            self._keep(self.failed - 1)
            raise

    def came_up(self) -> None:
        """Withdraw the count: the program is up, or a person stopped it."""
        if self.failed:
            self._keep(0)

    @property
    def _path(self) -> Path:
        return self.folder / "failed-starts.json"

    def _keep(self, failed: int) -> None:
        try:
            write_kept(self._path, msgspec.json.encode(max(0, failed)))
        except StoreError:  # everything that needs the disk reports this itself
            return


def safe_settings(settings: Settings) -> Settings:
    """Return the settings without everything that can make a start fail."""
    return replace(settings, camera="", setup="", record="", strip="virtual", kind="auto", tournament="", tuio="")
