"""Pictures for the set-up: taken by the chosen camera or uploaded, shown, and judged by the open step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from assistant.app.live.reader import encode_for_page
from assistant.app.live.shots import Picture, PointPx
from assistant.app.setup.cameras import PHOTOS, VIRTUAL, LiveCamera, StepCamera, open_camera
from assistant.app.setup.lens_step import BOARD, capture_of, with_look
from assistant.app.setup.progress import Progress
from assistant.app.setup.table_step import add_photo, find_markers_now
from assistant.app.setup.values import SetUpPreview
from assistant.errors import NoCameraChosen, OtherCameraChosen
from calibration.arrays import BgrImage, Points
from calibration.color import gray_from_bgr
from calibration.lens_capture import LensCapture, add_picture, sheet_outline
from vision.sources.push import PushedSource


class Pictures:
    """The newest picture and its findings.

    Args:
        let_go: frees the camera from its other user before it is opened.
    """

    def __init__(self, let_go: Callable[[], None]) -> None:
        self._let_go = let_go
        self.look: SetUpPreview | None = None
        self._image: BgrImage | None = None
        self._camera: StepCamera | None = None
        self._capture: LensCapture | None = None
        self._count = 0

    def choose(self, source: str) -> None:
        """Switch to that source of pictures.

        Raises:
            BadValue: no source has that name.
        """
        camera = self._open(source)
        self.close()
        self.forget()
        self._camera = camera

    def take(self, progress: Progress) -> BgrImage:
        """Return the newest picture of the chosen camera, which is reopened after a restart.

        Raises:
            CameraError: there is no live camera, or it delivers no picture.
        """
        taken = len(progress.photos) if progress.step == "table" else len(progress.views)
        return self._chosen(progress).picture(progress.step, taken)

    def send(self, progress: Progress, image: BgrImage) -> None:
        """Pass on the newest picture of the page's own camera, for the next ``take``.

        Raises:
            OtherCameraChosen: another camera is chosen.
        """
        camera = self._chosen(progress)
        if not isinstance(camera, LiveCamera) or not isinstance(camera.source, PushedSource):
            raise OtherCameraChosen
        camera.source.push(image)

    def judged(self, progress: Progress, image: BgrImage, *, is_photo: bool, is_wanted: bool) -> Progress:
        """Judge a picture for the open step. It is shown, and used if the step needs it.

        Raises:
            PhotoError: the picture cannot be used; the sentence says why.
            CalibrationError: the requested picture cannot be used.
        """
        self._count += 1
        self._image = image
        self.look = SetUpPreview(self._count, (image.shape[1], image.shape[0]))
        if progress.step == "lens":
            return self._judge_lens(progress, image, is_photo=is_photo)
        if progress.step == "table":
            return self._judge_table(progress, image, is_wanted=is_wanted)
        return progress

    def preview(self) -> Picture | None:
        return None if self._image is None else encode_for_page(self._image)

    @property
    def image(self) -> BgrImage | None:
        """The newest picture of the open step, or None before the first."""
        return None if self.look is None else self._image

    def forget(self) -> None:
        """Drop the last step's picture. A page that is still loading it gets it."""
        self.look, self._capture = None, None

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()
        self._camera = None

    def _chosen(self, progress: Progress) -> StepCamera:
        if self._camera is None and progress.source is not None:
            self._camera = self._open(progress.source)
        if self._camera is None:
            raise NoCameraChosen
        return self._camera

    def _open(self, source: str) -> StepCamera | None:
        """Open the camera of that name, after freeing it, since only one program can have a real camera."""
        if source not in (PHOTOS, VIRTUAL):
            self._let_go()
        return open_camera(source)

    def _judge_lens(self, progress: Progress, image: BgrImage, *, is_photo: bool) -> Progress:
        before = self._capture or capture_of(progress)
        self._capture, look = add_picture(before, gray_from_bgr(image), is_photo=is_photo)
        self._tell(
            outlines_px=() if look.sighting is None else (_pairs(sheet_outline(look.sighting, BOARD)),),
            refusal=look.refusal,
            is_taken=look.is_taken,
        )
        return with_look(progress, self._capture, look)

    def _judge_table(self, progress: Progress, image: BgrImage, *, is_wanted: bool) -> Progress:
        gray_image = gray_from_bgr(image)
        seen = find_markers_now(progress, gray_image)
        ids = tuple(sighting.id for sighting in seen)
        self._tell(outlines_px=tuple(_pairs(sighting.corners_px) for sighting in seen), marker_ids=ids)
        if not is_wanted:
            return progress
        after = add_photo(progress, gray_image)
        self._tell(is_taken=True)
        return after

    def _tell(self, **what: Any) -> None:
        assert self.look is not None, "a picture is shown before it is judged"
        self.look = replace(self.look, **what)


def _pairs(points: Points) -> tuple[PointPx, ...]:
    return tuple((float(x), float(y)) for x, y in points)
