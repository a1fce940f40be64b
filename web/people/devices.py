"""The devices at the table: their roles and joining.

A random token in its cookie identifies a device. The file holds only the token's hash, so that a reader of it cannot
join with it. Joined devices survive a restart. Guests start anew.

The short code can be read across a table: six digits, valid for minutes and one device, with few wrong attempts for the
whole table. The QR code carries 128 bits.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import secrets
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from assistant.errors import InputError, SightlineError
from assistant.match.game import INVADER
from assistant.translations.catalogue import languages, translate
from assistant.translations.messages import said
from web.people.keeping import AttemptLog, KeptFile
from web.people.owner_links import OwnerLinks
from web.serving.roles import ROLE_NAMES, Role

CODE_LIFETIME_S = 600.0
"""Lifetime of a code, long enough to walk round the table (ASVS 6.5.5 allows ten minutes)."""

KEPT_DEVICE_S = 30 * 24 * 3600.0
"""Time until an unseen device is dropped, equal to the cookie's lifetime."""

RETRY_S = 2.0
"""Time until a failed write is retried."""

TOKEN_BYTES = 16
MAX_DEVICES = 200
WATCHING, PLAYING = {"guests": "spectator"}, {"guests": "player"}
"""Contents of the guests' file."""

GUESTS_OF_ADDRESS = 5
"""Listed guests of one address, more than a family has behind one."""

MAX_INVITATIONS = 40
"""Most open invitations besides the owner's, since any visitor of the demo makes some. More are easier to guess."""

MAX_WRONG_OF_ONE = 5
"""Most wrong codes of one address, so that guessing locks out the guesser first."""

MAX_WRONG_CODES = 20
"""Most wrong codes of the whole table in one lifetime of a code, a chance of one in 50,000 to guess any."""


LOOK_ALIKES = str.maketrans("аеорсухіѕјԛԝһԁӏαινορυχκτβм10", "aeopcyxisjqwhdlaivopuxktbmlo")
"""Small letters of other alphabets, and digits, that look like small Latin letters."""


class JoinRefused(InputError):
    """The code or link is wrong, used up or too old."""

    http_status = 403
    sentence = said("This code is wrong, used up or too old. Ask the owner for a new one.")


class TooManyTries(SightlineError):
    """Too many wrong codes. For a while even a right one is refused."""

    http_status = 429
    sentence = said("Too many wrong codes at this table. Wait ten minutes, or scan the QR code.")


class NoSuchDevice(InputError):
    """The device is not on the list."""

    http_status = 404
    sentence = said("This device has already left.")


@dataclass(frozen=True, slots=True)
class Device:
    """One browser at the table. ``id`` names it to programs, its token is never shown.

    A device with a ``side`` decides for that side alone, one with ``figures`` for those figures of it. Without a side
    it is a shared tablet.
    """

    id: str
    role: Role
    seen_at_s: float
    name: str = ""
    side: str = ""
    figures: tuple[str, ...] = ()
    kind: str = ""
    """The kind of browser in people's words."""
    number: int = 0
    """Its displayed number, unique at the table."""
    has_joined: bool = False
    """Whether it is more than a guest."""
    is_camera: bool = False
    """Whether it is the table's only camera, chosen by the owner."""
    address: str = ""
    """A guest's address, forgotten once it joins."""
    side_of: str = ""
    """The match of its chosen side or holder, by the commitment to its dice, empty if unknown."""
    has_chosen: bool = False
    """Whether it chose its side itself, and may choose again. An invitation binds it until the next match."""
    has_returned: bool = False
    """Whether it has sent a second request. A merely fetched page has not."""
    holder: str = ""
    """The side of the player who holds it, without a side of its own. Empty while it shows no hand."""

    @property
    def own_side(self) -> str:
        """Its own side, empty for a shared tablet."""
        return self.side or (INVADER if self.role is Role.INVADER else "")

    @property
    def called(self) -> str:
        """Its display name: its name, else its number."""
        return self.name or f"#{self.number}"

    @property
    def is_tied(self) -> bool:
        """Whether it decides only for some figures."""
        return bool(self.own_side or self.figures)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A single-use invitation: valid until a time, for a role, optionally for a side or figures."""

    role: Role
    code: str
    token: str
    ends_at_s: float
    side: str = ""
    figures: tuple[str, ...] = ()
    side_of: str = ""


@dataclass
class DeviceList:
    """All devices and open invitations.

    Once a device is tied to a side, new guests watch until the host lets them play, so that leaving is no promotion.

    Args:
        guest_role: the role of a device before it joins.
        attempts: remembers wrong codes, even over a restart.
        now_s: the clock, seconds since 1970.
        kept: the file of joined devices.
        owner_links: links made by the command line.
    """

    guest_role: Role
    attempts: AttemptLog
    now_s: Callable[[], float]
    kept: KeptFile = field(default_factory=lambda: KeptFile(None))
    owner_links: OwnerLinks = field(default_factory=OwnerLinks)
    kept_guests: KeptFile = field(default_factory=lambda: KeptFile(None))
    """Whether guests only watch, remembered over a restart."""
    _devices: dict[str, Device] = field(default_factory=dict)
    _invitations: list[Invitation] = field(default_factory=list)
    _written: set[str] = field(default_factory=set)
    _wrong: list[tuple[str, float]] = field(default_factory=list)
    _try_again_at_s: float = math.inf
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _file_lock: threading.Lock = field(default_factory=threading.Lock)
    _trying: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._playing_role = Role.PLAYER if self.guest_role is Role.SPECTATOR else self.guest_role
        known = self.kept_guests.read()
        self._lets_guests_play = known == PLAYING
        if known == WATCHING:
            self.guest_role = Role.SPECTATOR
        oldest_s = self.now_s() - KEPT_DEVICE_S
        for key, device in _parse_devices(self.kept.read(), oldest_s).items():
            self._devices[key] = device if device.number else self._numbered(device)
        self._written = set(self._devices)

    def admit(
        self, role: Role | None = None, name: str = "", kind: str = "", *, address: str = ""
    ) -> tuple[str, Device]:
        """Create a token and its device. A full list drops the guest unseen for longest."""
        has_joined = role is not None
        device = Device(secrets.token_hex(4), role or self.guest_role, self.now_s(), name, kind=kind)
        return self._admit(replace(device, has_joined=has_joined, address="" if has_joined else address))

    def let_guests(self, *, may_play: bool) -> None:
        """Set whether guests play, including those already here."""
        self._lets_guests_play = may_play
        self.guest_role = self._playing_role if may_play else Role.SPECTATOR
        with self._lock:
            for key, device in self._devices.items():
                if not device.has_joined:
                    self._devices[key] = replace(device, role=self.guest_role)
        self.kept_guests.write(PLAYING if may_play else WATCHING)

    def _shut_out_guests_of(self, address: str) -> None:
        """Make new guests watch from now on, and also those from the address of a tied device."""
        with self._lock:
            for key, device in self._devices.items():
                if not device.has_joined and address and device.address == address:
                    self._devices[key] = replace(device, role=Role.SPECTATOR)
        self._let_new_guests_watch()

    def _let_new_guests_watch(self) -> None:
        self.guest_role = Role.SPECTATOR
        self.kept_guests.write(WATCHING)

    def make_camera(self, device_id: str) -> None:
        """Make a device the table's only camera.

        Raises: NoSuchDevice: it is not on the list.
        """
        with self._lock:
            if device_id not in {device.id for device in self._devices.values()}:
                raise NoSuchDevice
            for key, device in self._devices.items():
                self._devices[key] = replace(device, is_camera=device.id == device_id)
        self._keep(is_changed=True)

    def seat(self, device_id: str, side: str, side_of: str) -> None:
        """Set a device's own choice of its side in a match. Without a side it is shared.

        A device invited to a side stays bound to its answer until the next match asks again. A guest with a side is no
        longer a guest, and new guests watch, unless the host lets them play.

        Raises: NoSuchDevice: it is not on the list.
        """
        known = next((one for one in self.all() if one.id == device_id), None)
        is_bound = known is not None and bool(known.own_side) and not known.has_chosen
        has_joined = bool(side) or (known is not None and known.has_joined)
        chosen = {"side": side, "figures": (), "side_of": side_of, "has_chosen": not is_bound}
        self._change(device_id, **chosen, holder="", has_joined=has_joined, address="")
        is_hosts = known is not None and known.role is Role.OWNER  # the host waits for the others to come
        if side and not is_hosts and self.guest_role is Role.PLAYER and not self._lets_guests_play:
            self._let_new_guests_watch()

    def hold(self, device_id: str, side: str, side_of: str) -> None:
        """Note the player who holds a shared tablet in a match. Without a side it shows nobody's hand.

        Raises: NoSuchDevice: it is not on the list.
        """
        self._change(device_id, holder=side, side_of=side_of)

    def _change(self, device_id: str, **changes: Any) -> None:
        with self._lock:
            key = next((key for key, device in self._devices.items() if device.id == device_id), None)
            if key is None:
                raise NoSuchDevice
            self._devices[key] = changed = replace(self._devices[key], **changes)
            self._cover_hand_of(changed)
        if changed.has_joined:
            self._keep(is_changed=True)

    def give_name(self, device_id: str, name: str) -> str:
        """Return a device's name. Set this one if it has none."""
        with self._lock:
            key = next((key for key, device in self._devices.items() if device.id == device_id), None)
            if key is None or self._devices[key].name or not name:
                return name if key is None else self._devices[key].name
            self._devices[key] = replace(self._devices[key], name=name)
        self._keep(is_changed=True)
        return name

    def may_send_frames(self, device: Device | None) -> bool:
        """Return whether a device is the table's camera. Without a camera, the owner's first device becomes it."""
        if device is None:
            return False
        with self._lock:
            is_taken = any(other.is_camera for other in self._devices.values())
        if not is_taken and device.role is Role.OWNER:
            self.make_camera(device.id)
            return True
        return device.is_camera

    def known(self, token: str | None) -> Device | None:
        """Return a token's device and mark it as seen. None without a token or for an ended one."""
        key = _key(token)
        with self._lock:
            device = self._devices.get(key)
            if device is None:
                return None
            self._devices[key] = device = replace(device, seen_at_s=self.now_s(), has_returned=True)
        if self.now_s() >= self._try_again_at_s:
            self._keep()
        return device

    def standing_of(self, token: str | None) -> tuple[Role, str]:
        """Return a token's role, and its device if joined. Without a token or for an ended one, a guest's."""
        with self._lock:
            device = self._devices.get(_key(token))
        if device is None:
            return self.guest_role, ""
        return device.role, device.id if device.has_joined else ""

    def invite(
        self,
        role: Role,
        *,
        side: str = "",
        figures: tuple[str, ...] = (),
        side_of: str = "",
        lifetime_s: float = CODE_LIFETIME_S,
    ) -> Invitation:
        """Create an invitation. Earlier open ones stay valid, but for the oldest beyond a limit."""
        code, token = f"{secrets.randbelow(10**6):06d}", secrets.token_urlsafe(TOKEN_BYTES)
        invitation = Invitation(role, code, token, self.now_s() + lifetime_s, side, figures, side_of)
        with self._lock:
            self._forget_old_invitations()
            others = [one for one in self._invitations if one.role is not Role.OWNER]
            if len(others) >= MAX_INVITATIONS:
                self._invitations.remove(others[0])
            self._invitations.append(invitation)
        return invitation

    def join(
        self, secret: str, old_token: str | None, name: str = "", kind: str = "", *, address: str = ""
    ) -> tuple[str, Device]:
        """Create a token in the invited role. The old one ends, and the invitation is used up.

        A long token works even while codes are refused, so nobody can lock the owner out.

        Raises: TooManyTries: too many wrong codes lately. JoinRefused: no open invitation has this code or token.
        """
        is_code = len(secret) <= 8
        invitation = self._try_code(secret, address) if is_code else self._take(secret, is_code=False)
        if invitation is None:
            raise JoinRefused
        self.leave(old_token)
        side, figures = invitation.side, invitation.figures
        device = Device(secrets.token_hex(4), invitation.role, self.now_s(), name, side, figures, kind, has_joined=True)
        device = replace(device, side_of=invitation.side_of)
        # Every visitor of the demo stays one.
        if device.is_tied and self.guest_role is not Role.JUDGE:
            self._shut_out_guests_of(address)
        return self._admit(device)

    def _try_code(self, code: str, address: str) -> Invitation | None:
        """Return a code's invitation. Attempts are checked and counted atomically, however many arrive at once."""
        with self._trying:
            self._check_tries(address)
            invitation = self._take(code, is_code=True)
            if invitation is None:
                self.attempts.add(self.now_s())
                self._wrong.append((address, self.now_s()))
            return invitation

    @property
    def are_codes_closed(self) -> bool:
        """Return whether codes, even right ones, are refused for a while. Links and QR codes still work."""
        return self.attempts.count_since(self.now_s() - CODE_LIFETIME_S) >= MAX_WRONG_CODES

    def _check_tries(self, address: str) -> None:
        start_s = self.now_s() - CODE_LIFETIME_S
        self._wrong = [(whose, at_s) for whose, at_s in self._wrong if at_s > start_s]
        if sum(whose == address for whose, _ in self._wrong) >= MAX_WRONG_OF_ONE:
            raise TooManyTries(said("Too many wrong codes from this device. Wait ten minutes, or scan the QR code."))
        if self.are_codes_closed:
            raise TooManyTries

    def leave(self, token: str | None) -> None:
        """End the token's device, if any."""
        with self._lock:
            left = self._devices.pop(_key(token), None)
        if left is not None:
            self._keep()

    def all(self) -> list[Device]:
        """Return every device, the last seen first."""
        with self._lock:
            return sorted(self._devices.values(), key=lambda device: -device.seen_at_s)

    def listed(self) -> tuple[list[Device], int]:
        """Return the devices in the host's list, the last seen first, and the number of other guests.

        Guests without a second request, and all but the last seen of one address, are only counted.
        """
        every, shown, guests = self.all(), [], Counter[str]()
        for device in every:
            guests[device.address] += not device.has_joined
            is_one_of_few = device.has_returned and guests[device.address] <= GUESTS_OF_ADDRESS
            if device.has_joined or is_one_of_few:
                shown.append(device)
        return shown, len(every) - len(shown)

    def end(self, device_id: str) -> None:
        """End a device by its id.

        Raises: NoSuchDevice: it is not on the list.
        """
        with self._lock:
            key = next((key for key, device in self._devices.items() if device.id == device_id), None)
            if key is None:
                raise NoSuchDevice
            del self._devices[key]
        self._keep()

    def _admit(self, device: Device) -> tuple[str, Device]:
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._lock:
            self._make_room()
            numbered = self._numbered(replace(device, has_returned=device.has_joined))
            device = self._devices[_key(token)] = self._with_own_name(numbered)
            self._cover_hand_of(device)
        self._keep()
        return token, device

    def _with_own_name(self, device: Device) -> Device:
        """Return the device, with its number after its name if that resembles another's or an office.

        Several judges may have the same name.
        """
        looks = _offices() | {_look_of(other.name) for other in self._devices.values() if other.name}
        is_taken = device.role not in (Role.JUDGE, Role.HEAD_JUDGE) and _look_of(device.name) in looks
        return replace(device, name=f"{device.name} #{device.number}") if is_taken else device

    def _cover_hand_of(self, owner: Device) -> None:
        """Cover a hand on every shared tablet once a device has that side for its own."""
        for key, device in self._devices.items():
            if device.holder and device.holder == owner.own_side:
                self._devices[key] = replace(device, holder="")

    def _numbered(self, device: Device) -> Device:
        taken = {other.number for other in self._devices.values()}
        return replace(device, number=next(n for n in itertools.count(1) if n not in taken))

    def _keep(self, *, is_changed: bool = False) -> None:
        """Write the joined devices to the file, if they changed.

        Later requests retry a failed write: an ended device must not be back after a restart. One thread writes at a
        time, so that the newest list is written last.
        """
        with self._file_lock:
            with self._lock:
                joined = {key: device for key, device in self._devices.items() if device.has_joined}
            if not is_changed and joined.keys() == self._written and self._try_again_at_s == math.inf:
                return
            if self.kept.write([{"key": key, **asdict(device)} for key, device in joined.items()]):
                self._written, self._try_again_at_s = set(joined), math.inf
            else:
                self._try_again_at_s = self.now_s() + RETRY_S

    def _take(self, secret: str, *, is_code: bool) -> Invitation | None:
        with self._lock:
            self._forget_old_invitations()
            for invitation in self._invitations:
                expected = invitation.code if is_code else invitation.token
                if secrets.compare_digest(expected.encode(), secret.encode()):
                    self._invitations.remove(invitation)
                    return invitation
        if not is_code and self.owner_links.take(secret):
            return Invitation(Role.OWNER, "", secret, self.now_s())
        return None

    def _forget_old_invitations(self) -> None:
        now_s = self.now_s()
        self._invitations = [i for i in self._invitations if i.ends_at_s > now_s]

    def _make_room(self) -> None:
        if len(self._devices) < MAX_DEVICES:
            return
        guests = [key for key, device in self._devices.items() if not device.has_joined]
        for key in sorted(guests or self._devices, key=lambda key: self._devices[key].seen_at_s)[:1]:
            del self._devices[key]


def _look_of(name: str) -> str:
    """Return a name's visual skeleton: without case, width, diacritics and look-alike letters of other alphabets."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return "".join(letters.translate(LOOK_ALIKES).split())


@cache
def _offices() -> frozenset[str]:
    """Return skeletons of names forbidden to players: the program's and those of roles."""
    names = ("Sightline", *ROLE_NAMES.values())
    return frozenset(_look_of(translate(name, language)) for name in names for language in languages())


def _key(token: str | None) -> str:
    """Return the token's hash in memory and in the file. A token of 128 random bits needs no salt."""
    return hashlib.sha256((token or "").encode()).hexdigest()


class _Key(Struct):
    key: Annotated[str, Meta(min_length=64, max_length=64)]


def _parse_devices(kept: object, oldest_s: float) -> dict[str, Device]:
    """Return a file's devices without those long unseen, none for another program's file."""
    try:
        keys, devices = msgspec.convert(kept or [], list[_Key]), msgspec.convert(kept or [], list[Device])
    except msgspec.ValidationError:
        return {}
    known = zip(keys, devices, strict=True)
    return {one.key: replace(device, has_joined=True) for one, device in known if device.seen_at_s > oldest_s}
