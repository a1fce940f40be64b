"""Bytes that are no usable picture: each gets one sentence."""

from __future__ import annotations

import io
import struct
import sys
import time
import warnings
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image, features

from assistant.errors import PhotoTooLarge, PhotoUnreadable
from assistant.table.camera import CameraLens
from vision.photo.decoding import MAX_SCANS, decode_photo, decode_print, read_photo_bytes


def jpeg(width_px: int = 320, height_px: int = 240) -> bytes:
    rng = np.random.default_rng(5)
    buffer = io.BytesIO()
    Image.fromarray(rng.integers(0, 255, (height_px, width_px, 3), dtype=np.uint8)).save(buffer, "JPEG")
    return buffer.getvalue()


def png_header(width_px: int, height_px: int) -> bytes:
    """Return a grey PNG that claims that size and holds one row."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    size = struct.pack(">IIBBBBB", width_px, height_px, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


def avif_that_lies() -> bytes:
    """Return an AVIF of 4,000 x 4,000 pixels in a few hundred bytes whose header claims 200 x 200."""
    buffer = io.BytesIO()
    Image.new("RGB", (4000, 4000)).save(buffer, "AVIF", speed=10)
    data = buffer.getvalue()
    place = data.index(b"ispe") + 8
    return data[:place] + struct.pack(">II", 200, 200) + data[place + 8 :]


def test_a_jpeg_is_decoded_in_its_size() -> None:
    assert decode_photo(jpeg()).shape == (240, 320, 3)


def test_a_turn_noted_in_the_file_is_not_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    buffer = io.BytesIO()
    Image.new("RGB", (320, 240)).save(buffer, "JPEG", exif=exif)
    assert decode_photo(buffer.getvalue()).shape == (240, 320, 3)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9, 0.999])
def test_a_jpeg_that_is_cut_short_is_refused(share: float) -> None:
    data = jpeg()
    with pytest.raises(PhotoUnreadable, match="Choose a whole JPEG"):
        decode_photo(data[: int(len(data) * share)])


def test_a_damaged_jpeg_is_decoded_as_opencv_would_and_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    data = bytearray(jpeg())
    data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
    image = decode_photo(bytes(data))
    assert capfd.readouterr().err == ""
    expected = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert "Corrupt JPEG data" in capfd.readouterr().err
    assert np.array_equal(image, expected)


def test_meta_data_that_break_off_are_no_warning() -> None:
    data = jpeg()
    broken = b"Exif\0\0MM\0*\0\0\0\x08\0\x09\x01\x12\0\x03"
    lying = data[:2] + b"\xff\xe1" + (len(broken) + 2).to_bytes(2, "big") + broken + data[2:]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(decode_photo(lying), decode_photo(data))


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_grey_pictures_and_those_in_printers_colours_have_three_channels(mode: str) -> None:
    buffer = io.BytesIO()
    Image.effect_noise((320, 240), 60).convert(mode).save(buffer, "JPEG")
    image = decode_photo(buffer.getvalue())
    assert image.shape == (240, 320, 3)
    assert np.array_equal(image, cv2.imdecode(np.frombuffer(buffer.getvalue(), np.uint8), cv2.IMREAD_COLOR))


def test_one_pixel_is_too_few() -> None:
    with pytest.raises(PhotoUnreadable, match="1x1 pixels are too few"):
        decode_photo(jpeg(1, 1))


def test_a_hundred_megapixels_are_refused_before_they_are_decoded() -> None:
    with pytest.raises(PhotoTooLarge, match=r"has 100 megapixels. .* 52 megapixels at most"):
        decode_photo(png_header(10_000, 10_000))


def test_a_picture_just_over_the_limit_is_told_with_a_decimal() -> None:
    with pytest.raises(PhotoTooLarge, match=r"has 52\.1 megapixels. .* 52 megapixels at most"):
        decode_photo(png_header(8000, 6501))


def large_jpeg(width_px: int, height_px: int, **options: Any) -> bytes:
    """Return a JPEG with a dark left half and a bright right half."""
    picture = Image.new("L", (width_px, height_px), 40)
    picture.paste(220, (width_px // 2, 0, width_px, height_px))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=40, **options)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("size_px", "decoded"),
    [((8160, 6144), (3072, 4080)), ((12_000, 9000), (2250, 3000)), ((16_320, 12_288), (3072, 4080))],
    ids=["50 megapixels", "108 megapixels", "200 megapixels"],
)
def test_the_large_photos_of_phones_are_made_smaller_while_they_are_decoded(
    size_px: tuple[int, int], decoded: tuple[int, int]
) -> None:
    image = decode_photo(large_jpeg(*size_px))
    assert image.shape == (*decoded, 3)
    lens = CameraLens(*size_px, ((1e4, 0.0, 5e3), (0.0, 1e4, 4e3), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0, 0.0, 0.0))
    assert lens.scaled_to(decoded[1], decoded[0])
    assert abs(int(image[0, decoded[1] // 4, 0]) - 40) < 8
    assert abs(int(image[-1, 3 * decoded[1] // 4, 2]) - 220) < 8


def test_more_pixels_than_any_phone_writes_are_refused() -> None:
    header = large_jpeg(640, 480)
    place = header.index(b"\xff\xc0") + 5
    lying = header[:place] + struct.pack(">HH", 15_000, 20_000) + header[place + 4 :]
    with pytest.raises(PhotoTooLarge, match=r"has 300 megapixels. .* 210 megapixels at most"):
        decode_photo(lying)


def test_a_progressive_jpeg_is_held_whole_and_so_has_the_lower_limit() -> None:
    header = large_jpeg(640, 480, progressive=True)
    place = header.index(b"\xff\xc2") + 5
    lying = header[:place] + struct.pack(">HH", 9000, 12_000) + header[place + 4 :]
    with pytest.raises(PhotoTooLarge, match=r"has 108 megapixels. .* 52 megapixels at most"):
        decode_photo(lying)


@pytest.mark.parametrize("film", ["random", "zeros", "another end mark"])
def test_a_motion_photo_is_read_as_its_picture(film: str) -> None:
    """Samsung and Pixel phones append a film to the picture; the picture ends long before the file does."""
    behind = {
        "random": np.random.default_rng(3)
        .integers(0, 255, 300_000, dtype=np.uint8)
        .tobytes()
        .replace(b"\xff\xd9", b""),
        "zeros": bytes(300_000),
        "another end mark": b"\xff\xd9" + bytes(100_000),
    }[film]
    assert np.array_equal(decode_photo(jpeg() + behind), decode_photo(jpeg()))


def test_a_picture_cut_short_is_not_saved_by_the_end_mark_of_its_thumbnail() -> None:
    small = io.BytesIO()
    Image.new("RGB", (160, 120)).save(small, "JPEG")
    exif = b"Exif\0\0" + small.getvalue()
    data = jpeg()
    with_thumbnail = data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]
    assert decode_photo(with_thumbnail).shape == (240, 320, 3)
    with pytest.raises(PhotoUnreadable, match="damaged or cut short"):
        decode_photo(with_thumbnail[: len(with_thumbnail) // 2])


HEIC = Path(__file__).parents[2] / "data" / "photos" / "board.heic"


def test_an_iphone_s_heic_is_decoded() -> None:
    pytest.importorskip("pi_heif", reason="no decoder of HEIC is installed")
    image = decode_photo(HEIC.read_bytes())
    with Image.open(HEIC.with_suffix(".png")) as same:
        expected = np.asarray(same.convert("RGB"))[..., ::-1]
    assert image.shape == expected.shape
    assert np.abs(image.astype(int) - expected).mean() < 4


def test_a_damaged_heic_is_refused() -> None:
    pytest.importorskip("pi_heif", reason="no decoder of HEIC is installed")
    data = HEIC.read_bytes()
    for share in (0.05, 0.3, 0.8):
        with pytest.raises(PhotoUnreadable, match="damaged or cut short"):
            decode_photo(data[: int(len(data) * share)])


def test_without_a_decoder_a_heic_is_told_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    with pytest.raises(PhotoUnreadable, match="Most Compatible"):
        decode_photo(HEIC.read_bytes())


@pytest.mark.parametrize("data", [b"", b"not a picture", b"\xff\xd8\xff\xd9", png_header(320, 240)])
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(PhotoUnreadable):
        decode_photo(data)


@pytest.mark.skipif(not features.check("avif"), reason="this Pillow writes no AVIF")
def test_a_picture_whose_header_lies_about_its_size_is_never_decoded() -> None:
    data = avif_that_lies()
    with Image.open(io.BytesIO(data)) as header:
        assert header.size == (200, 200)
    for decode in (decode_photo, decode_print):
        with pytest.raises(PhotoUnreadable, match="not a JPEG, PNG, WebP or HEIC picture"):
            decode(data)


@pytest.mark.parametrize("suffix", ["BMP", "GIF", "TIFF", "PPM"])
def test_other_kinds_of_pictures_are_refused_by_their_first_bytes(suffix: str) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (320, 240)).save(buffer, suffix)
    with pytest.raises(PhotoUnreadable, match="not a JPEG, PNG, WebP or HEIC picture"):
        decode_photo(buffer.getvalue())


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_webp_is_decoded_in_its_size_and_its_colours(mode: str) -> None:
    buffer = io.BytesIO()
    Image.new(mode, (320, 240), (200, 100, 50, 128)[: len(mode)]).save(buffer, "WEBP", lossless=True, exact=True)
    photo, drawn = decode_photo(buffer.getvalue()), decode_print(buffer.getvalue())
    assert photo.shape == (240, 320, 3)
    assert (photo == (50, 100, 200)).all()
    assert (drawn == (50, 100, 200, 128)[: len(mode)]).all()


def test_a_webp_that_is_cut_short_is_refused() -> None:
    buffer = io.BytesIO()
    Image.effect_noise((320, 240), 60).convert("RGB").save(buffer, "WEBP")
    data = buffer.getvalue()
    for share in (0.02, 0.3, 0.9):
        with pytest.raises(PhotoUnreadable):
            decode_photo(data[: int(len(data) * share)])


def test_a_webp_of_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (8000, 8000)).save(buffer, "WEBP", method=0)
    with pytest.raises(PhotoTooLarge, match="has 64 megapixels"):
        decode_photo(buffer.getvalue())


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PhotoUnreadable, match=r"absent\.jpg"):
        read_photo_bytes(tmp_path / "absent.jpg")


def jpeg_of_scans(count: int, side_px: int = 1600) -> bytes:
    """Return a grey picture with that many empty passes, in 22 bytes each and more for its size."""

    def segment(marker: int, content: bytes) -> bytes:
        return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content

    blocks = (side_px // 8) ** 2
    head = segment(0xDB, b"\0" + bytes([16] * 64))
    head += segment(0xC2, struct.pack(">BHHB", 8, side_px, side_px, 1) + bytes([1, 0x11, 0]))
    one_code = bytes([1] + [0] * 15)
    head += segment(0xC4, b"\x00" + one_code + b"\x00") + segment(0xC4, b"\x10" + one_code + b"\xe0")
    first = segment(0xDA, bytes([1, 1, 0, 0, 0, 0])) + bytes(blocks // 8)
    run = "0" + "1" * 14  # 32,767 blocks without anything
    bits = run * -(-blocks // 32767)
    bits += "1" * (-len(bits) % 8)
    coded = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\x00")
    again = segment(0xDA, bytes([1, 1, 0, 1, 63, 0])) + coded
    return b"\xff\xd8" + head + first + again * (count - 1) + b"\xff\xd9"


def png_of_chunks(count: int) -> bytes:
    empty = struct.pack(">I", 0) + b"abCd" + struct.pack(">I", zlib.crc32(b"abCd"))
    whole = Image.new("L", (320, 240))
    buffer = io.BytesIO()
    whole.save(buffer, "PNG")
    data = buffer.getvalue()
    place = data.index(b"IDAT") - 4
    return data[:place] + empty * count + data[place:]


@pytest.mark.parametrize(
    "data",
    [
        jpeg_of_scans(MAX_SCANS + 1),
        jpeg()[:2] + b"\xff\xfe\0\2" * 5_000_000 + jpeg()[2:],
        jpeg()[:2] + b"\xff" * 20_000_000 + jpeg()[2:],
        jpeg()[:2] + b"\0" * 20_000_000 + jpeg()[2:],
        b"\xff\xd8" + b"\xff" * 20_000_000,
        png_of_chunks(1_000_000),
    ],
    ids=["scans", "comments", "fill", "junk", "nothing but fill", "chunks"],
)
def test_a_file_of_endless_parts_costs_next_to_nothing(data: bytes) -> None:
    """172 kB that went over 49 megapixels a thousand times took 27 s, 20 MB of fill before the first part minutes."""
    begun_s = time.process_time()
    with pytest.raises(PhotoUnreadable, match="more parts than any camera writes"):
        decode_photo(data)
    assert time.process_time() - begun_s < 1


@pytest.mark.parametrize("data", [jpeg_of_scans(MAX_SCANS), jpeg()[:2] + b"\xff\xfe\0\2" * 9_000 + jpeg()[2:]])
def test_as_many_parts_as_a_program_may_write_are_read(data: bytes) -> None:
    assert decode_photo(data).shape[2] == 3


def test_a_film_behind_the_picture_is_no_part_of_it() -> None:
    """Phones append the second before the shot to their JPEG. Its bytes may look like any header."""
    data = jpeg()
    film = np.random.default_rng(3).integers(0, 256, 8_000_000, dtype=np.uint8).tobytes() + b"\xff\xd9"
    assert np.array_equal(decode_photo(data + film), decode_photo(data))
