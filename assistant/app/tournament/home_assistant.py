"""The messages through which Home Assistant discovers a table and its strip (MQTT discovery)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assistant.app.tournament.topics import Topics
from assistant.hosting.mqtt import BrokerMessage

PREFIX = "homeassistant"
"""Home Assistant's default prefix. Its owner may change it."""


ENTRIES: tuple[tuple[str, str], ...] = (
    ("binary_sensor", "judge"),
    ("binary_sensor", "presence"),
    ("binary_sensor", "strip"),
    ("binary_sensor", "trouble"),
    ("sensor", "round"),
    ("sensor", "waiting"),
)
"""The Home Assistant entities of a table: each component with its name."""


def discovery_topics(table: str) -> tuple[str, ...]:
    """Return the topics of a table's discovery messages. ``+`` is any table."""
    return tuple(f"{PREFIX}/{component}/{table}/{name}/config" for component, name in ENTRIES)


def discovery(topics: Topics, table: str, version: str) -> tuple[BrokerMessage, ...]:
    """Return the retained messages that announce a table, its round, its strip and its waiting events.

    The entities read topics that the table publishes anyway. None of them is a switch, since a table accepts commands
    only from its desks. Object ids hold only letters, digits, ``_`` and ``-``.
    """
    own = f"sightline_{topics.event}_{table}"
    device = {"identifiers": [own], "name": f"Sightline {table}", "manufacturer": "Sightline", "sw_version": version}
    base = topics.of(table, "state").rpartition("/")[0]
    is_there = {"value_template": "{{ value_json.state == 'online' }}"}  # a stopped table is unavailable too
    there = {"topic": "~/status", **is_there, "payload_available": "True", "payload_not_available": "False"}

    def entry(component: str, name: str, facts: Mapping[str, Any]) -> BrokerMessage:
        document = {"~": base, "unique_id": f"{own}_{name}", "device": device, **facts}
        topic = f"{PREFIX}/{component}/{table}/{name}/config"
        return BrokerMessage(topic, json.dumps(document).encode(), retained=True)

    on_off = {"payload_on": "True", "payload_off": "False", "availability": there, "state_topic": "~/state"}
    sensed = {"state_topic": "~/state", "availability": there}
    presence = {"name": "Table", "device_class": "connectivity", "state_topic": "~/status"}
    presence |= {**is_there, "payload_on": "True", "payload_off": "False"}
    strip = {"name": "LED strip", "device_class": "connectivity", "value_template": "{{ value_json.strip }}", **on_off}
    trouble = {"name": "Trouble", "device_class": "problem", **on_off}
    trouble["value_template"] = "{{ value_json.troubles | length > 0 }}"
    judge = {"name": "Judge called", "value_template": "{{ value_json.calls | default(0) > 0 }}", **on_off}
    return (
        entry("binary_sensor", "judge", judge),
        entry("binary_sensor", "presence", presence),
        entry("binary_sensor", "strip", strip),
        entry("binary_sensor", "trouble", trouble),
        entry("sensor", "round", {"name": "Round", "value_template": "{{ value_json.round }}", **sensed}),
        entry("sensor", "waiting", {"name": "Waiting", "value_template": "{{ value_json.waiting }}", **sensed}),
    )
