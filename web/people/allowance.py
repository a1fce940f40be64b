"""How large a body each device may send, decided by the head of its request."""

from __future__ import annotations

from collections.abc import Callable

from werkzeug.http import parse_cookie

from web.people.devices import DeviceList
from web.people.session import COOKIE
from web.serving.admission import Allowance, Facts
from web.serving.roles import Right, may
from web.serving.routes import MAX_ARCHIVE_BYTES, MAX_UPLOAD_BYTES


class BodyRights:
    """Decides by the sender's device: only the owner sends backups, only devices that may show one send photos.

    Args:
        devices: who is at the table.
        is_own_name: whether a ``Host`` names this table; requests under another name are refused anyway.
    """

    def __init__(self, devices: DeviceList, is_own_name: Callable[[str], bool]) -> None:
        self._devices, self._is_own_name = devices, is_own_name

    def __call__(self, facts: Facts) -> Allowance:
        """The allowance of the sender of a head."""
        if not self._is_own_name(facts.get("HOST", "")):
            return Allowance()
        role = self._devices.role_of(parse_cookie(facts.get("COOKIE")).get(COOKIE))
        if may(role, Right.OWN):
            return Allowance(MAX_ARCHIVE_BYTES, is_counted=False)
        return Allowance(MAX_UPLOAD_BYTES) if may(role, Right.SHOW) else Allowance()
