"""A USB camera is found again under any number. A video file stands in for the device itself."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import pytest

from assistant.errors import CameraBusy, CameraLost, CameraNotFound
from vision.sources.usb import UsbOpener

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stable names are links in a folder of Linux")

STABLE = "usb-Maker_Camera_1234-video-index0"


class Plugs:
    """A folder of devices and one of stable names, like the system's."""

    def __init__(self, root: Path) -> None:
        self.devices, self.by_id = root / "dev", root / "by-id"
        self.devices.mkdir()
        self.by_id.mkdir()

    def plug_in(self, film: Path, number: int, name: str = STABLE) -> None:
        # OpenCV tells files by their ending, so the device of this test has one.
        device = self.devices / f"video{number}"
        device.symlink_to(film)
        (self.by_id / name).symlink_to(device)

    def unplug(self, number: int, name: str = STABLE) -> None:
        (self.by_id / name).unlink()
        (self.devices / f"video{number}").unlink()


@pytest.fixture
def plugs(tmp_path):
    return Plugs(tmp_path)


@pytest.fixture
def film(tmp_path, pictures):
    """Some pictures as a file that OpenCV opens as it opens a camera."""
    path = tmp_path / "film.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (320, 240))
    for _ in range(6):
        video.write(next(pictures))
    video.release()
    return path


def opener(plugs: Plugs, place: str) -> UsbOpener:
    return UsbOpener(place, by_id=plugs.by_id, devices=plugs.devices)


def test_a_number_becomes_the_stable_name_and_is_found_under_another_number(plugs, film):
    plugs.plug_in(film, 0)
    camera = opener(plugs, "0")
    device = camera.open()
    assert device.read().shape == (240, 320, 3)
    device.close()
    assert camera.identity == STABLE

    plugs.unplug(0)
    with pytest.raises(CameraNotFound, match="Plug it in"):
        camera.open()
    plugs.plug_in(film, 3)
    device = camera.open()
    assert device.read().shape == (240, 320, 3)
    device.close()


def test_another_camera_under_the_old_number_is_not_taken_for_ours(plugs, film):
    plugs.plug_in(film, 0)
    camera = opener(plugs, "0")
    camera.open().close()
    plugs.unplug(0)
    plugs.plug_in(film, 0, "usb-Somebody_Elses-video-index0")
    with pytest.raises(CameraNotFound):
        camera.open()


def test_the_beginning_of_a_name_is_enough_and_pictures_come_from_its_first_entry(plugs, film, tmp_path):
    plugs.plug_in(film, 0)
    plugs.plug_in(tmp_path / "no-film", 1, "usb-Maker_Camera_1234-video-index1")
    camera = opener(plugs, "usb-Maker")
    device = camera.open()
    assert device.read().shape == (240, 320, 3)
    device.close()
    assert camera.identity == STABLE


def test_an_absent_camera_is_reported_with_those_that_are_there(plugs, film):
    plugs.plug_in(film, 0)
    with pytest.raises(CameraNotFound, match=f"usb:{STABLE}"):
        opener(plugs, "usb-Another").open()


def read_on(device) -> None:
    """Read more pictures than the film has."""
    for _ in range(7):
        device.read()


def test_a_camera_whose_pictures_end_is_lost(plugs, film):
    plugs.plug_in(film, 0)
    device = opener(plugs, "0").open()
    with pytest.raises(CameraLost, match="no pictures any more"):
        read_on(device)
    device.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not list their cameras")
@pytest.mark.parametrize("place", ["97", "9" * 30, "nobody", "a" * 5000, "/dev/video97"])
def test_where_no_camera_is_plugged_in_nobody_looks_for_another_program(plugs, place):
    with pytest.raises(CameraNotFound, match="plug it in"):
        opener(plugs, place).open()


def test_a_device_that_gives_no_pictures_may_be_in_use(plugs, tmp_path):
    plugs.plug_in(tmp_path, 0)
    with pytest.raises(CameraBusy, match="other programs"):
        opener(plugs, STABLE).open()


def test_a_device_by_its_path_is_found_again_elsewhere(plugs, film):
    plugs.plug_in(film, 0)
    camera = opener(plugs, str(plugs.devices / "video0"))
    camera.open().close()
    plugs.unplug(0)
    plugs.plug_in(film, 3)
    camera.open().close()
    assert camera.identity == STABLE


def test_the_beginning_of_two_names_is_asked_about(plugs, film):
    plugs.plug_in(film, 0)
    plugs.plug_in(film, 2, "usb-Maker_Camera_5678-video-index0")
    with pytest.raises(CameraNotFound, match=r"several.*1234.*5678"):
        opener(plugs, "usb-Maker").open()
    opener(plugs, "usb-Maker_Camera_5").open().close()


@pytest.mark.camera
def test_the_first_real_camera_delivers():
    device = UsbOpener("0").open()
    assert device.read().ndim == 3
    device.close()
