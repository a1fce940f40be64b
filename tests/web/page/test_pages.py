from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import web
from assistant.table.board import Figure
from assistant.table.roster import FigureLook
from assistant.translations.catalogue import PSEUDO, languages
from web.app import create_app
from web.desk.routes import DESK_TEXTS
from web.free.page import FREE_TEXTS
from web.lens.routes import LENS_TEXTS
from web.missions.routes import MISSION_TEXTS
from web.serving import files
from web.serving.files import modules_of
from web.serving.roles import Role
from web.setup.page import SETUP_TEXTS
from web.shell.texts import CLIENT_TEXTS
from web.teach.page import BOX_TEXTS

WEB = Path(web.__file__).parent


@pytest.mark.parametrize("language", languages())
def test_the_page_comes_in_every_language(client, language):
    page = client.get("/", headers={"Accept-Language": language}).text

    assert f'<html lang="{language}"' in page
    assert {"en": "Show me the table.", "ru": "Покажите стол.", "es": "Muéstrame la mesa."}[language] in page


def test_an_owner_who_has_taught_nothing_is_led_to_the_set_up(client, state, monkeypatch):
    reader = state.readers.reader
    monkeypatch.setattr(type(reader), "setup", replace(reader.setup, sources={"tiles": "sample"}))
    first_look = client.get("/").text
    assert "printed markers" not in first_look
    assert "Show the program your own tiles" not in first_look
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)
    assert "Show the program your own tiles" in client.get("/").text


def test_no_visible_text_of_the_page_escapes_translation(client):
    page = client.get(f"/?lang={PSEUDO}").text

    body = re.sub(r"<(script|style|head)\b.*?</\1>", " ", page, flags=re.S)
    body = re.sub(r"<option [^>]*lang=.*?</option>|<h1.*?</h1>", " ", body, flags=re.S)  # languages and our own name
    texts = [text.strip() for text in re.findall(r">([^<>]+)<", body)]
    labels = re.findall(r'(?:aria-label|alt|title)="([^"]+)"', body)
    stray = [t for t in [*texts, *labels] if re.search(r"[A-Za-zА-я]{2}", t) and not t.startswith("⟦")]
    assert stray == []


def test_every_sentence_that_the_scripts_ask_for_is_there_and_used():
    scripts = "\n".join(path.read_text() for path in WEB.glob("*/*.js"))
    asked = set(re.findall(r'\bt\(\s*"(\w+)"', scripts))
    quoted = set(re.findall(r'"(\w+)"', scripts))
    there = {*CLIENT_TEXTS, *SETUP_TEXTS, *BOX_TEXTS, *MISSION_TEXTS, *FREE_TEXTS, *LENS_TEXTS, *DESK_TEXTS}
    assert asked <= there
    built = {
        name
        for name in there
        if name.startswith(("role_", "danger_", "kind_", "level_", "source_", "by_", "call_", "hall_"))
    }
    assert there - quoted == built - quoted


def test_scripts_never_write_markup():
    for path in WEB.glob("*/*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", path.read_text()), path


def test_nothing_comes_from_elsewhere(client):
    page = client.get("/").text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    for path in (path for kind in ("js", "css", "svg") for path in WEB.glob(f"*/*.{kind}")):
        urls = re.findall(r"https?://[^\"' )]+", path.read_text())
        assert set(urls) <= {"http://www.w3.org/2000/svg"}, path


def test_the_page_has_no_inline_script_style_or_handler(client):
    page = client.get("/").text

    assert all('type="application/json"' in tag for tag in re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page))
    assert "<style" not in page
    assert not re.search(r"\s(?:style|on\w+)=", page)


def test_no_two_parts_of_the_page_have_one_id(state, build, client):
    state.match.play(build.sample_session())
    for path in ("/", "/setup", "/free", "/lens", "/missions"):
        ids = re.findall(r'\sid="([^"]+)"', client.get(path).text)
        assert [name for name, count in Counter(ids).items() if count > 1] == [], path


def test_the_first_look_is_small(client):
    page = client.get("/").text
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    packed = {"Accept-Encoding": "gzip"}
    total_bytes = sum(len(client.get(name, headers=packed).data) for name in {"/", *files})

    assert len(files) > 5
    assert total_bytes < 100_000


def test_a_static_file_is_checked_and_sent_again_only_when_it_changed(client):
    first = client.get("/static/shell/shell.css")
    again = client.get("/static/shell/shell.css", headers={"If-None-Match": first.headers["ETag"]})

    assert first.status_code == 200
    assert again.status_code == 304


@pytest.mark.parametrize(
    "name",
    ["../app.py", "%2e%2e/app.py", "..%2fapp.py", "%2fetc%2fpasswd", "page.html", "%00", "..\\app.py", "routes.py"],
)
def test_no_path_leads_to_anything_but_the_files_of_the_page(client, name):
    assert client.get(f"/static/page/{name}").status_code == 404
    assert client.get(f"/static/{name}", follow_redirects=True).status_code == 404  # “//” is first put right


def test_a_name_that_is_markup_stays_a_name(client, state, shot):
    evil = '<img src=x onerror="alert(1)">'
    board = replace(shot.board, figures=(Figure(evil, evil, evil, ((0, 0),)), Figure("x" * 200, "k", "s", ((3, 2),))))
    state.shelf.put(replace(shot, id="evil", corrected=board))

    answer = client.get("/api/v1/shots/evil")
    card = client.post(
        "/api/v1/shots/evil/rulings", json={"attacker": evil, "defender": "x" * 200}, headers={"X-Sightline": "1"}
    )

    assert answer.mimetype == card.mimetype == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert evil in {figure["id"] for figure in answer.get_json()["figures"]}
    assert card.status_code == 200


def test_a_comment_before_words_of_a_script_takes_no_line_with_it():
    script = b"a;\n/** @type {X} */ (b).c = 1;\n  /** gone\n * too */\nd;\n"
    assert files._DOC_BLOCK.sub(b"", script) == b"a;\n/** @type {X} */ (b).c = 1;\nd;\n"


def test_every_module_of_the_page_is_fetched_at_once():
    asked = {WEB / "page" / "page.js"}
    for _ in range(8):  # modules ask for modules
        asked |= {
            (path.parent / to).resolve() for path in asked for to in re.findall(r'from "(\..+?)"', path.read_text())
        }

    names = {path.relative_to(WEB).with_suffix("").as_posix() for path in asked}
    assert set(modules_of("page/page.js")) == names - {"page/page"}
    assert len(modules_of("page/page.js")) > 15


def test_scripts_and_templates_use_only_features_below_their_own():
    """Python has the import contract for this, whose order the test reads."""
    contracts = tomllib.loads((WEB.parent / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract.get("containers") == ["web"])
    level = {name: depth for depth, layer in enumerate(layers) for name in layer.split(" | ")}
    wrong = []
    for path in (*WEB.glob("*/*.js"), *WEB.glob("*/*.html")):
        feature = path.parent.name
        text = path.read_text()
        named = re.findall(r'from "\.\./(\w+)/', text)
        named += re.findall(r'include "(\w+)/', text)
        named += [name for line in re.findall(r"set styles = (.*?)%}", text) for name in re.findall(r'"(\w+)/', line)]
        named += re.findall(r'"/static/(\w+)/', text)
        wrong += [f"{feature}/{path.name} uses {to}" for to in named if to != feature and level[to] <= level[feature]]
    assert wrong == []


def test_the_table_is_ruled_on_by_the_game_of_the_match(build):
    state = build.page_state()
    state.match.play(build.new_session("doom2004", "doom2004_sample_table"))
    page = create_app(state).test_client().get("/").text
    assert '<option value="doom2004" selected>' in page


def test_a_taught_figure_has_its_picture_by_its_name_and_its_kinds(client, state, monkeypatch):
    setup = state.readers.reader.setup
    first, *others = setup.roster.figures
    taught = replace(first, look=FigureLook(picture_png=b"PNG of it"))
    monkeypatch.setattr(
        type(state.readers.reader), "setup", replace(setup, roster=replace(setup.roster, figures=(taught, *others)))
    )

    assert client.get("/api/v1/portraits").get_json() == {"names": sorted({first.id, first.kind})}
    assert client.get(f"/api/v1/portraits/{first.kind}").data == b"PNG of it"
    assert client.get("/api/v1/portraits/nobody").status_code == 404
