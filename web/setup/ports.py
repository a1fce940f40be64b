"""What the set-up view needs of the desk behind it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from assistant.app.live.shots import Picture, Shot
from assistant.app.setup.light import LightState
from assistant.app.setup.values import PaperName, SetUpState, SetUpStep


class SetUpDesk(Protocol):
    """Leads a person through the set-up; every call returns at once or after the work it names."""

    @property
    def turn(self) -> AbstractContextManager[object]:
        """Held by whoever asks for something, so that one request follows the other."""

    def state(self) -> SetUpState:
        """Everything that is known so far."""

    def go_to(self, step: SetUpStep) -> None:
        """Opens a step; a step before it that is not done stays open."""

    def choose_camera(self, source: str) -> None:
        """Takes pictures from that source from now on; a lens and photos of another camera are forgotten."""

    def look(self, *, is_wanted: bool) -> None:
        """Takes the newest picture and judges it; ``is_wanted`` says that the person wants this very one."""

    def send(self, picture: bytes) -> None:
        """Brings the newest picture of the page's own camera, which is looked at next."""

    def hand_in(self, photo: bytes) -> None:
        """Judges a photo file as a picture of the open step."""

    def photo(self) -> bytes:
        """The newest picture of the live camera in its own size, as JPEG; no step judges it."""

    def preview(self) -> Picture | None:
        """The newest picture."""

    def sheet(self, name: str, say: Callable[[str], str]) -> bytes:
        """A sheet to print, as PDF; ``say`` says its words in the reader's language."""

    def set_sheets(self, paper: PaperName, measured_mm: float | None, *, is_reprinted: bool) -> None:
        """Keeps what was printed."""

    def solve_lens(self) -> None:
        """Works the lens out."""

    def skip_lens(self) -> None:
        """Goes on without a lens; it is estimated from the table's markers then."""

    def solve_table(self) -> None:
        """Works out where the markers lie."""

    def start_over(self, step: SetUpStep) -> None:
        """Forgets the pictures and the result of the lens or the table step."""

    def choose_game(self, tiles: str | None, roster: str | None) -> None:
        """Reads pictures by that tile set and roster from now on."""

    def save(self, name: str) -> None:
        """Keeps the whole set-up under a name."""

    def read(self) -> Shot:
        """Reads the newest picture of the table with what was set up."""

    def finish(self) -> None:
        """Lets the running page use the set-up."""

    def use(self, name: str) -> None:
        """Lets the running page use a set-up that is kept."""

    def backup(self) -> bytes:
        """Everything that is kept, as one zip file."""

    def restore(self, data: bytes) -> None:
        """Brings back what a backup holds."""


class LightDesk(Protocol):
    """Lists the kinds of light and takes another light; no call waits for one."""

    def state(self) -> LightState:
        """How the light is now."""

    def choose(self, kind: str, address: str) -> None:
        """Lights another light instead."""
