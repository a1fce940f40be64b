"""Files that a user named: written whole, or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from assistant.errors import StoreError
from assistant.kept_files import write_file


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_earlier_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "home.zip"
    write_file(file, b"earlier")
    with monkeypatch.context() as full:
        full.setattr(f"assistant.kept_files.os.{step}", refuse)
        with pytest.raises(StoreError, match=r"home\.zip.*cannot be written"):
            write_file(file, b"later")
        with pytest.raises(StoreError):
            write_file(tmp_path / "new.zip", b"later")

    assert file.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither these modes nor links for everybody")
def test_a_replaced_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "home.zip", tmp_path / "link.zip"
    file.write_bytes(b"earlier")
    file.chmod(0o640)
    link.symlink_to(file)

    write_file(link, b"later")

    assert link.is_symlink()
    assert file.read_bytes() == b"later"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="there is no such device")
def test_a_device_is_written_through() -> None:
    write_file(Path("/dev/null"), b"later")
    assert not Path("/dev/null").is_file()
