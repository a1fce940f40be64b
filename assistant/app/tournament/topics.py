"""The MQTT topics of a tournament's tables and desks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from assistant.errors import BadValue
from assistant.translations.messages import said

ROOT = "sightline"
DESKS = "desks"
"""The topic branch of the desks, a name that no table may have."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

Part = Literal["status", "state", "event", "call", "picture", "cmd", "ack", "kept", "seat"]
_PARTS: tuple[Part, ...] = ("status", "state", "event", "call", "picture", "cmd", "ack", "kept", "seat")


def check_topic_name(name: str, field: str) -> str:
    """Check that the name of an event, table or desk is usable in topics, file names and user names.

    Raises:
        BadValue: it is not usable.
    """
    if not _NAME.fullmatch(name) or name == DESKS:
        raise BadValue(
            said("“{name}” cannot be a name here; use small letters, digits and hyphens, 40 at most", name=name[:60]),
            field=field,
        )
    return name


class TopicPlace(NamedTuple):
    """A parsed topic: its owner, its part, and the id below it."""

    owner: str
    part: Part
    id: str = ""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one event.

    Args:
        event: the tournament's name.

    Raises:
        BadValue: the event's name is not allowed.
    """

    event: str

    def __post_init__(self) -> None:
        check_topic_name(self.event, "event")

    def of(self, owner: str, part: Part, name: str = "") -> str:
        """Return the topic of a part of a table. ``+`` as owner or name matches any."""
        return "/".join(filter(None, (ROOT, self.event, owner, part, name)))

    def of_desk(self, desk: str) -> str:
        """Return the topic of a desk's status. ``+`` matches any desk."""
        return f"{ROOT}/{self.event}/{DESKS}/{desk}"

    def desk_in(self, topic: str) -> str | None:
        """Return the desk of a status topic, or None for another topic."""
        head, _, desk = topic.rpartition("/")
        return desk if head == f"{ROOT}/{self.event}/{DESKS}" else None

    def place(self, topic: str) -> TopicPlace | None:
        """Parse a topic, or return None for a topic of another program."""
        root, _, rest = topic.partition("/")
        event, _, rest = rest.partition("/")
        owner, _, rest = rest.partition("/")
        found, _, name = rest.partition("/")
        part = next((one for one in _PARTS if one == found), None)
        if root != ROOT or event != self.event or part is None or not _NAME.fullmatch(owner):
            return None
        return TopicPlace(owner, part, name)
