"""The running page reads with the stored set-up, and another one can replace it."""

from __future__ import annotations

import pytest

from assistant.app.live.game_files import GameFiles
from assistant.documents import KeptSetUp, setup_document, to_json
from assistant.errors import UnknownName
from assistant.profiles import Profiles
from assistant.settings import Settings
from assistant.wiring.table import open_table


@pytest.fixture
def settings(tmp_path, dev_scenes):
    """A data folder with two set-ups of photos: at home with a lens, in the club without."""
    profiles = Profiles(tmp_path)
    for name, scene in (("home", "easy-03"), ("club", "easy-01")):
        profiles.keep("table", name, (dev_scenes / scene / "table.json").read_bytes())
    profiles.keep("camera", "home", (dev_scenes / "easy-03" / "camera.json").read_bytes())
    for name, camera in (("home", "home"), ("club", None)):
        setup = KeptSetUp(source="photos", table=name, camera=camera)
        profiles.keep("setup", name, to_json(setup_document(setup)).encode())
    return Settings(host="127.0.0.1", port=0, strip="virtual", data=tmp_path)


@pytest.fixture
def opened(settings):
    tables = []

    def open_with(**changes):
        values = {name: getattr(settings, name) for name in ("host", "port", "strip", "data")}
        tables.append(open_table(Settings(**{**values, **changes}), GameFiles(), is_simulated=False))
        return tables[-1]

    yield open_with
    for table in tables:
        table.close()


def test_the_set_up_that_was_kept_last_is_used_until_another_is_chosen(opened):
    table = opened()
    used = table.page.readers.reader.setup
    assert (used.name, used.sources["table"], used.sources["camera"]) == ("club", "club", "—")
    assert table.page.watcher.table is None

    table.page.desk.use("home")
    used = table.page.readers.reader.setup
    assert (used.name, used.sources["camera"], used.sources["tiles"]) == ("home", "home", "sample")
    assert not table.page.watcher.has_live


def test_a_set_up_that_is_named_is_used_and_an_absent_one_refused(opened):
    with pytest.raises(UnknownName, match="absent"):
        opened(setup="absent")
    assert opened(setup="home").page.readers.reader.setup.name == "home"
