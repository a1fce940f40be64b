"""The devices at the table: who joined as what, and how one joins.

A device is known by a random token in its cookie. The short code is made to be read across a table: six digits,
valid for minutes, for one device, and only so many wrong tries for the whole table. The QR code carries 128 bits.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from assistant.errors import InputError, SightlineError
from web.attempts import AttemptLog
from web.roles import Role

CODE_LIFETIME_S = 600.0
"""Long enough to walk round the table (ASVS 6.5.5 allows ten minutes)."""

TOKEN_BYTES = 16
MAX_DEVICES = 200
MAX_WRONG_CODES = 20
"""Wrong codes for the whole table within one lifetime of a code: one in 50,000 to guess any."""


class JoinRefused(InputError):
    """The code or link is wrong, used up or too old."""

    http_status = 403


class TooManyTries(SightlineError):
    """Too many wrong codes; even a right one is not looked at for a while."""

    http_status = 429


class NoSuchDevice(InputError):
    """The device is not on the list."""

    http_status = 404


@dataclass(frozen=True, slots=True)
class Device:
    """One browser at the table; ``id`` may be shown, the token never is."""

    id: str
    role: Role
    seen_at_s: float
    name: str = ""


@dataclass(frozen=True, slots=True)
class Invitation:
    """One way to join once, in a role, until a time."""

    role: Role
    code: str
    token: str
    ends_at_s: float


@dataclass
class DeviceList:
    """All devices and open invitations.

    Args:
        guest_role: what a device is before it joins.
        attempts: remembers wrong codes, also over a restart.
        now_s: the clock, seconds since 1970.
    """

    guest_role: Role
    attempts: AttemptLog
    now_s: Callable[[], float]
    _devices: dict[str, Device] = field(default_factory=dict)
    _invitations: list[Invitation] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def admit(self, role: Role | None = None, name: str = "") -> tuple[str, Device]:
        """A new token and its device; the guest longest unseen leaves when the list is full."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        device = Device(secrets.token_hex(4), role or self.guest_role, self.now_s(), name)
        with self._lock:
            self._make_room()
            self._devices[token] = device
        return token, device

    def known(self, token: str | None) -> Device | None:
        """The device of a token, now seen; None for no token or one that was ended."""
        with self._lock:
            device = self._devices.get(token or "")
            if device is None or token is None:
                return None
            self._devices[token] = device = replace(device, seen_at_s=self.now_s())
            return device

    def invite(self, role: Role, *, lifetime_s: float = CODE_LIFETIME_S) -> Invitation:
        """A new invitation; one that is open for the same role stays valid too."""
        code = f"{secrets.randbelow(10**6):06d}"
        invitation = Invitation(role, code, secrets.token_urlsafe(TOKEN_BYTES), self.now_s() + lifetime_s)
        with self._lock:
            self._forget_old_invitations()
            self._invitations.append(invitation)
        return invitation

    def join(self, secret: str, old_token: str | None, name: str = "") -> tuple[str, Device]:
        """A new token in the invited role; the old one ends, and the invitation is used up.

        A long token is looked at even while codes are refused, so nobody can lock the owner out.

        Raises:
            TooManyTries: too many wrong codes lately.
            JoinRefused: no open invitation has this code or token.
        """
        is_code = len(secret) <= 8
        if is_code and self.attempts.count_since(self.now_s() - CODE_LIFETIME_S) >= MAX_WRONG_CODES:
            raise TooManyTries("too many wrong codes at this table; wait ten minutes or scan the QR code")
        invitation = self._take(secret, is_code=is_code)
        if invitation is None:
            if is_code:
                self.attempts.add(self.now_s())
            raise JoinRefused("this code is wrong, used up or too old; ask the owner for a new one")
        self.leave(old_token)
        return self.admit(invitation.role, name)

    def leave(self, token: str | None) -> None:
        """Ends the device of a token, if there is one."""
        with self._lock:
            self._devices.pop(token or "", None)

    def all(self) -> list[Device]:
        """Every device, the last seen first."""
        with self._lock:
            return sorted(self._devices.values(), key=lambda device: -device.seen_at_s)

    def end(self, device_id: str) -> None:
        """Ends a device by its shown id.

        Raises:
            NoSuchDevice: it is not on the list.
        """
        with self._lock:
            token = next((t for t, device in self._devices.items() if device.id == device_id), None)
            if token is None:
                raise NoSuchDevice("this device has already left")
            del self._devices[token]

    def _take(self, secret: str, *, is_code: bool) -> Invitation | None:
        with self._lock:
            self._forget_old_invitations()
            for invitation in self._invitations:
                expected = invitation.code if is_code else invitation.token
                if secrets.compare_digest(expected.encode(), secret.encode()):
                    self._invitations.remove(invitation)
                    return invitation
        return None

    def _forget_old_invitations(self) -> None:
        now_s = self.now_s()
        self._invitations = [i for i in self._invitations if i.ends_at_s > now_s]

    def _make_room(self) -> None:
        if len(self._devices) < MAX_DEVICES:
            return
        guests = [t for t, device in self._devices.items() if device.role == self.guest_role]
        for token in sorted(guests or self._devices, key=lambda t: self._devices[t].seen_at_s)[:1]:
            del self._devices[token]
