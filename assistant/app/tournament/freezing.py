"""Freezes everything that a judge will need: pictures, their readings, rulings, the match."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import msgspec

from assistant.app.live.free_shots import FreeShot
from assistant.app.live.shots import Picture
from assistant.app.tournament.drawing import drawing_of, drawing_over, frozen_camera
from assistant.app.tournament.evidence import program_versions
from assistant.app.tournament.look_back import AnyShot
from assistant.app.tournament.rule_again import AskedAttack, read_table, rule_again
from assistant.documents import free_sighting_document, observation_document, table_document
from assistant.documents.evidence import MOMENT
from assistant.documents.moment import (
    MOST_PICTURES,
    MOST_RULINGS,
    FrozenCamera,
    FrozenMoment,
    FrozenPicture,
    FrozenRuling,
    FrozenSeat,
    moment_document,
)
from assistant.table.camera import TableMarkers

LAST_EVENTS = 30
"""Number of match steps that a judge sees. The whole match is exported separately."""


@dataclass(frozen=True)
class AskedShot:
    """A ruling before the call: its picture, its rules, its figures, and its time in seconds since 1970."""

    shot: AnyShot
    ruleset: str
    options: Mapping[str, str]
    attacker: str
    defender: str
    asked_at_s: float


@dataclass(frozen=True)
class TableNow:
    """The table at the moment of a call.

    Args:
        table: its name.
        t_ms: milliseconds since 1970, UTC.
        holding: the relation of the newest picture to the table.
        match: the public view of the match; None without a match.
        shots: the last pictures, the oldest first.
        asked: the last rulings, the oldest first.
        titles: the titles of the match's steps by number, in languages other than English.
        seat: the game's place in its tournament, if any.
    """

    table: str
    t_ms: int
    holding: str
    match: Mapping[str, Any] | None
    shots: Sequence[AnyShot]
    asked: Sequence[AskedShot]
    titles: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    seat: FrozenSeat | None = None


@dataclass(frozen=True)
class Frozen:
    """A frozen moment, its parts by name including its own document, and that document's hash."""

    moment: FrozenMoment
    parts: Mapping[str, bytes]
    hash: str


def freeze_moment(now: TableNow) -> Frozen:
    """Freeze the table of this moment into documents and pictures.

    Raises:
        InputError: a reading cannot be written and read back, which would be a bug.
    """
    asked = now.asked[-MOST_RULINGS:]
    shots = _shots_of(now.shots, asked)
    drawer = _Drawer()
    looked_at = {one.shot.id for one in asked} | {shot.id for shot in shots[-1:]}
    pictures = tuple(drawer.add(shot, is_looked_at=shot.id in looked_at) for shot in shots)
    places = {shot.id: place for place, shot in enumerate(shots)}
    rulings = tuple(drawer.rule(one, places[one.shot.id], pictures) for one in asked)
    moment = FrozenMoment(
        t=now.t_ms,
        table=now.table,
        holding=now.holding,
        versions=program_versions(),
        match=None if now.match is None else _match_facts(now.match, now.titles),
        pictures=pictures,
        rulings=rulings,
        parts={name: hashlib.sha256(content).hexdigest() for name, content in sorted(drawer.parts.items())},
        seat=now.seat or msgspec.UNSET,
    )
    document = moment_document(moment)
    return Frozen(moment, {**drawer.parts, MOMENT: document}, hashlib.sha256(document).hexdigest())


def _shots_of(shots: Sequence[AnyShot], asked: Sequence[AskedShot]) -> list[AnyShot]:
    """Return every picture once, the oldest first. The newest is the moment itself. Ruled pictures always stay."""
    needed = {one.shot.id: one.shot for one in asked}
    room = MOST_PICTURES - len(needed)
    latest = {shot.id: shot for shot in shots[-room:]}
    ordered = sorted({**needed, **latest}.values(), key=lambda shot: shot.taken_at_s)
    newest = shots[-1] if shots else None
    return [shot for shot in ordered if shot is not newest] + ([] if newest is None else [newest])


@dataclass
class _Drawer:
    """Collects the parts, picture by picture and ruling by ruling. Equal contents are stored once."""

    parts: dict[str, bytes] = field(default_factory=dict)
    _names: dict[tuple[bytes, str], str] = field(default_factory=dict)

    def add(self, shot: AnyShot, *, is_looked_at: bool) -> FrozenPicture:
        picture, camera = _taken(shot)
        seen, believed = _read_of(shot)
        # Drawn from the document with its rounded numbers, so that anybody with the documents draws the same.
        drawing = drawing_over(believed, shot.id, camera, picture.width_px, picture.height_px)
        return FrozenPicture(
            t=max(0, round(shot.taken_at_s * 1000)),
            source=shot.source,
            picture=self._put("picture", picture.jpeg, "jpg"),
            width_px=picture.width_px,
            height_px=picture.height_px,
            focus=drawing.focus(),
            observation=self._put("observation", seen, "json"),
            believed=None if believed == seen else self._put("believed", believed, "json"),
            snapped=drawing.snapped() if is_looked_at else None,
            camera=camera,
            markers=None if shot.markers is None else self._put("table", _markers_document(shot.markers), "json"),
        )

    def rule(self, asked: AskedShot, place: int, pictures: Sequence[FrozenPicture]) -> FrozenRuling:
        """Compute the ruling from the documents, so that anybody with the documents gets the same."""
        picture = pictures[place]
        name = picture.believed or picture.observation
        table = read_table(self.parts[name], name)
        attack = AskedAttack(asked.ruleset, asked.attacker, asked.defender, dict(asked.options))
        ruling = rule_again(attack, table)
        drawing = drawing_of(picture, self.parts[name], name)
        assert drawing is not None, "what is frozen now has its camera"
        return FrozenRuling(
            asked_t=max(0, round(asked.asked_at_s * 1000)),
            picture=place,
            ruling=ruling,
            lines=drawing.lines(ruling),
            figures=drawing.figures(attack),
        )

    def _put(self, kind: str, content: bytes, ending: str) -> str:
        key = (content, kind)
        if key not in self._names:
            number = sum(name.startswith(f"frozen/{kind}-") for name in self.parts) + 1
            self._names[key] = f"frozen/{kind}-{number:03d}.{ending}"
            self.parts[self._names[key]] = content
        return self._names[key]


def _taken(shot: AnyShot) -> tuple[Picture, FrozenCamera]:
    """Return a picture and its camera."""
    if isinstance(shot, FreeShot):
        return shot.picture, frozen_camera(shot.view.placed, 0.0)
    return shot.read.picture, frozen_camera(shot.read.view.placed, shot.setup.tiles.thickness_mm)


def _read_of(shot: AnyShot) -> tuple[bytes, bytes]:
    """Return the document of a picture's reading, and the document after corrections."""
    if isinstance(shot, FreeShot):
        document = _json(free_sighting_document(shot.sighting))
        return document, document
    seen = shot.read.observation
    if shot.corrected is None:  # the common case; a call with a hundred pictures must not encode each of them twice
        document = _json(observation_document(seen))
        return document, document
    table = shot.table
    believed = replace(
        seen, board=table.board, doubts=table.doubts, ground_doubts=table.ground_doubts, worlds=table.worlds
    )
    return _json(observation_document(seen)), _json(observation_document(believed))


@lru_cache(maxsize=4)
def _markers_document(markers: TableMarkers) -> bytes:
    return _json(table_document(markers))


def _json(document: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(document)


def _match_facts(view: Mapping[str, Any], titles: Mapping[str, Mapping[int, str]]) -> dict[str, Any]:
    """Return the frozen facts of a match: its header, progress, clock, and last steps in every language."""
    kept = {name: view.get(name) for name in ("match", "seq", "round", "phase", "to_act", "clock")}
    facts: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(kept))
    facts["events"] = [
        {
            **{name: step.get(name) for name in ("seq", "title", "by", "done")},
            "titles": {tag: by_seq[step["seq"]] for tag, by_seq in titles.items() if step["seq"] in by_seq},
        }
        for step in view.get("history", [])[-LAST_EVENTS:]
    ]
    return facts
