"""Pictures of the watched table, each with a name of its own."""

from __future__ import annotations

from assistant.app.live.live_picture import LivePicture
from assistant.app.live.shelf import ShotShelf


def test_two_watchings_of_one_program_never_give_a_picture_the_same_name() -> None:
    picture = LivePicture(ShotShelf(), lambda kind, body: None, "boot")
    assert len({picture.next_name() for _ in range(4)}) == 4, "a browser keeps a picture by its name"
    other = LivePicture(ShotShelf(), lambda kind, body: None, "another boot")
    assert other.next_name() != LivePicture(ShotShelf(), lambda kind, body: None, "boot").next_name()
