"""Keeps matches in the data folder: begins and resumes them, and takes occasional snapshots."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from assistant.app.matches.own_missions import OwnMissions
from assistant.documents import header_line, match_from_lines
from assistant.errors import BadName, BadValue, CannotDo, StoreError, UnknownName
from assistant.kept_files import read_kept, write_kept
from assistant.match.chance import commit_to, new_seed
from assistant.match.games import games
from assistant.match.header import Header, MatchLabel
from assistant.match.missions import Mission, mission_from_toml, new_header
from assistant.match.replay import replay_match
from assistant.match.session import PlayedOn, Session
from assistant.run_clock import now_ms
from assistant.store import Store
from assistant.translations.messages import said

SNAPSHOT_EVERY = 50
"""Events between two snapshots: few enough for a quick start, and many enough to cost nothing during play."""

MAX_MATCH_BYTES = 24 << 20
"""Size cap in bytes. Ten thousand events with their rulings take about 8 MB. The page accepts at most 25 MB of
anything."""


class DiceHidden(CannotDo):
    """The match is not over, so its file stays closed."""

    http_status = 409
    sentence = said(
        "This match is not over, and its file holds the dice to come. End it first, with its copies. On the machine "
        "itself “sightline match export” writes it while Sightline is stopped."
    )


class DiceClosed(CannotDo):
    """The match is over, but its end could still be taken back."""

    http_status = 409
    sentence = said(
        "The dice of this match are not opened yet. Opening them closes it for good: nothing in it is taken back any "
        "more."
    )


_NAME = re.compile(r"[^\W_][\w .-]{0,58}[\w-]|[^\W_]")

log = logging.getLogger(__name__)


def list_shipped_missions() -> tuple[str, ...]:
    """Return the names of the shipped missions, sorted."""
    return tuple(sorted(_mission_files()))


def load_shipped_mission(name: str) -> Mission:
    """Return the mission of that name.

    Raises:
        UnknownName: no shipped mission has that name.
    """
    files = _mission_files()
    if name not in files:
        raise UnknownName(
            said("there is no mission “{name}”; choose one of {known}", name=name, known=", ".join(sorted(files)))
        )
    return mission_from_toml(files[name].read_bytes(), name)


def _mission_files() -> dict[str, Traversable]:
    # Of two missions with one name, the earlier game's stays.
    return {name: file for game in reversed(games()) for name, file in game.files("missions", ".toml").items()}


def require_name(match_id: str) -> None:
    """Refuse a name that lists, addresses or files cannot hold.

    Raises:
        BadName: the name cannot be used.
    """
    if not _NAME.fullmatch(match_id):
        text = said(
            "use 1 to 60 letters, digits, spaces, dots, hyphens or underscores, and begin with a letter or digit"
        )
        raise BadName(text, document="match", field="name")


def require_size(data: bytes) -> None:
    """Refuse a file larger than any match.

    Raises:
        BadValue: the file is larger.
    """
    if len(data) > MAX_MATCH_BYTES:
        size_mb = MAX_MATCH_BYTES >> 20
        raise BadValue(
            said("the file is larger than any match ({mb} MB); check that it is the right file", mb=size_mb),
            document="match",
        )


def _label(match_id: str, line: bytes, event_count: int) -> MatchLabel:
    header = Header.read(match_from_lines(line, match_id).header)
    return MatchLabel(
        id=match_id,
        title=header.title,
        ruleset=header.ruleset,
        created_t=header.created_t,
        event_count=event_count,
    )


def wake(session: Session) -> None:
    """Exclude idle time from the clocks of a match."""
    try:
        session.wake()
    except StoreError as problem:
        # The match can still be viewed. Its clocks include the idle time, and the next step reports the same error.
        log.warning("the clocks of the match %s count the time in between: %s", session.header.id, problem)


class KeptMatches:
    """The matches of one data folder. A running match is one object, shared by all callers.

    Args:
        folder: the data folder; only one program at a time may have it open.
        clock_ms: milliseconds since 1970, UTC.

    Raises:
        StoreError: the folder cannot be used, or another program has it open.
    """

    def __init__(self, folder: Path, clock_ms: Callable[[], int] = now_ms) -> None:
        self.store = Store(folder)
        self.own_missions = OwnMissions(folder / "missions")
        self._clock_ms = clock_ms
        self._running: dict[str, Session] = {}
        self._opened = folder / "opened-dice.json"
        self._played_on = folder / "played-on.json"

    def newest(self) -> str | None:
        """Return the match that was begun last, or None without any match.

        Raises:
            DocumentError: a match's stored data were altered.
        """
        headers = {name: match_from_lines(line, name).header for name, line in self.store.headers().items()}
        return max(headers, key=lambda name: (headers[name].get("created_t", 0), name), default=None)

    def begin(self, match_id: str, mission: Mission, options: Mapping[str, str]) -> Session:
        """Begin a match under an unused name.

        Raises:
            StoreError: the name is taken, or nothing can be written.
            DocumentError: the mission does not fit its rule set, or the name is empty or too long.
        """
        created_t = self._clock_ms()
        made = new_header(mission, match_id=match_id, seed=new_seed(), created_t=created_t, options=options)
        header = Header.read(made.document())  # refuse an unreadable header before storing it
        session = Session(header, journal=self.store.journal(match_id), clock_ms=self._clock_ms)
        self.store.create(match_id, header_line(header.document()))
        return self._follow(match_id, session)

    def go_on(self, match_id: str) -> Session:
        """Resume the match of that name after its last event.

        Raises:
            UnknownName: there is none.
            DocumentError: its stored data were altered.
            StoreError: it cannot be read.
        """
        if match_id in self._running:
            return self._running[match_id]
        stored = self.store.load(match_id)
        journal = self.store.journal(match_id)
        session = Session.resumed(stored.lines, journal=journal, clock_ms=self._clock_ms, snapshot=stored.snapshot)
        wake(session)
        return self._follow(match_id, session)

    def play_on(self, session: Session, what: PlayedOn) -> None:
        """Store where a match is played from now on, across restarts.

        Raises:
            StoreError: it cannot be written down.
        """
        known = self._known_played_on()
        known.pop(commit_to(session.header.seed), None)
        if what != "camera":
            known[commit_to(session.header.seed)] = what
        write_kept(self._played_on, msgspec.json.encode(known))
        session.played_on = what

    def _known_played_on(self) -> dict[str, PlayedOn]:
        try:
            return msgspec.json.decode(read_kept(self._played_on) or b"{}", type=dict[str, PlayedOn])
        except (msgspec.DecodeError, UnicodeDecodeError):  # a power cut
            return {}

    def rename(self, match_id: str, name: str) -> Session | None:
        """Rename a stored match.

        Returns:
            The running match of the old name, which must no longer be used; None if it was only stored.

        Raises:
            BadName: the name is not allowed.
            UnknownName: there is no such match.
            StoreError: the name is taken, or it cannot be written.
        """
        require_name(name)
        self.store.rename(match_id, name)
        return self._running.pop(match_id, None)

    def name_of(self, session: Session | None) -> str:
        """The name under which a running match is kept; empty for another one."""
        return next((name for name, one in self._running.items() if one is session), "")

    def labels(self) -> tuple[MatchLabel, ...]:
        """Return the labels of all matches, the newest first.

        Raises:
            DocumentError: a match's stored data were altered.
        """
        counts = self.store.event_counts()
        found = [_label(name, line, counts[name]) for name, line in self.store.headers().items()]
        return tuple(sorted(found, key=lambda label: (-label.created_t, label.id)))

    def exported(self, match_id: str) -> bytes:
        """Export the match of that name as a ``sightline.match/1`` document, with all secrets.

        Raises:
            UnknownName: there is none.
        """
        return self.store.exported(match_id)

    def opened(self, match_id: str) -> bytes:
        """Export a match whose dice are open.

        Raises:
            UnknownName: there is none.
            DiceHidden: it or a copy of it is not over, and the seed would reveal future dice.
            DiceClosed: it is over, but nobody has opened its dice.
        """
        if not self.is_opened(self._seed(match_id)):
            self._require_over(match_id)
            raise DiceClosed
        return self.exported(match_id)

    def open_dice(self, match_id: str) -> None:
        """Open the dice of a finished match for good, after which nothing in it can be taken back.

        Raises:
            UnknownName: there is none.
            DiceHidden: it or a copy of it is not over, and the seed would reveal future dice.
            StoreError: it cannot be written.
        """
        self._require_over(match_id)
        seed = self._seed(match_id)
        if not self.is_opened(seed):
            commitments = [*self._commitments(), commit_to(seed)]
            write_kept(self._opened, msgspec.json.encode(commitments))

    def _require_over(self, match_id: str) -> None:
        """Check that a match is over, and so are all matches with the same dice."""
        seed, first = self._seed(match_id), self._header(match_id).seed
        alike = [name for name in self.store.matches() if self._header(name).seed == first]
        if not all(self.is_over(name) for name in alike if self._seed(name) == seed):
            raise DiceHidden

    def is_opened(self, seed: str) -> bool:
        """Return whether somebody has seen the dice of matches with this seed."""
        return commit_to(seed) in self._commitments()

    def _commitments(self) -> list[str]:
        try:
            return msgspec.json.decode(read_kept(self._opened) or b"[]", type=list[str])
        except (msgspec.DecodeError, UnicodeDecodeError):  # a power cut
            return []

    def _header(self, match_id: str) -> Header:
        running = self._running.get(match_id)
        return running.header if running else Header.read(match_from_lines(self._line(match_id), match_id).header)

    def _line(self, match_id: str) -> bytes:
        found = self.store.headers().get(match_id)
        return self.store.load(match_id).lines[0] if found is None else found

    def is_over(self, match_id: str) -> bool:
        """Return whether the match has a winner.

        Raises:
            UnknownName: there is no such match.
        """
        return self._look(match_id).timeline.game.winner is not None

    def _seed(self, match_id: str) -> str:
        """Return the seed of a match's future dice."""
        return self._look(match_id).seed

    def _look(self, match_id: str) -> Session:
        """Return a match for viewing, running or not."""
        session = self._running.get(match_id)
        if session is None:
            stored = self.store.load(match_id)
            session = Session.resumed(stored.lines, journal=None, clock_ms=self._clock_ms, snapshot=stored.snapshot)
        return session

    def copied(self, match_id: str, name: str) -> MatchLabel:
        """Copy a match whose dice are open. The copy can be played on, with other dice.

        Raises:
            UnknownName: there is no such match.
            DiceHidden, DiceClosed: as for ``opened``.
            BadName: the copy's name is not allowed.
            StoreError: the name is taken, or it cannot be written.
        """
        self.imported(self.opened(match_id), name)
        return self.with_own_dice(name)

    def with_own_dice(self, match_id: str) -> MatchLabel:
        """Give a match new dice that nobody can know.

        Raises:
            UnknownName: there is no such match.
            StoreError: it cannot be written.
        """
        self.go_on(match_id).reseed(new_seed())
        return next(label for label in self.labels() if label.id == match_id)

    def imported(self, data: bytes, match_id: str) -> MatchLabel:
        """Import a match under an unused name, after checking every line, die, shuffle and ruling in it.

        Raises:
            BadName: the name is not allowed.
            BadValue: the file is too large, or the match holds data that the program never writes.
            DocumentError: it is not a match, or its hash chain is broken.
            StoreError: the name is taken, or it cannot be written.
        """
        require_name(match_id)
        require_size(data)
        checked = replay_match(data, match_id)
        if checked.findings:
            first = checked.findings[0]
            text = said(
                "event {number} does not follow from the rules and the seed ({text}); ask for another copy",
                number=first.seq,
                text=first.text,
            )
            raise BadValue(text, document=match_id)
        self.store.imported(data, match_id)
        return _label(match_id, data.split(b"\n", 1)[0], checked.event_count)

    def close(self) -> None:
        """Save a last snapshot of each running match and free the folder for other programs."""
        for match_id, session in self._running.items():
            self._keep_snapshot(match_id, session)
        self.store.close()

    def _follow(self, match_id: str, session: Session) -> Session:
        self._running[match_id] = session
        session.played_on = self._known_played_on().get(commit_to(session.header.seed), "camera")

        def snapshot_now_and_then(receipt: object) -> None:
            if session.seq % SNAPSHOT_EVERY == 0:
                self._keep_snapshot(match_id, session)

        session.subscribe(snapshot_now_and_then)
        return session

    def _keep_snapshot(self, match_id: str, session: Session) -> None:
        state = session.snapshot()
        if state is None:
            return
        try:
            self.store.keep_snapshot(match_id, state)
        except StoreError as problem:
            # The events are stored. Only the next start takes a little longer.
            log.warning("no snapshot of the match %s: %s", match_id, problem)
