from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import web
from assistant.table.board import Figure
from assistant.translations.catalogue import PSEUDO, languages
from web import pages
from web.setup_words import SETUP_TEXTS
from web.teach_words import TEACH_TEXTS
from web.texts import CLIENT_TEXTS

STATIC = Path(web.__file__).parent / "static"


@pytest.mark.parametrize("language", languages())
def test_the_page_comes_in_every_language(client, language):
    page = client.get("/", headers={"Accept-Language": language}).text

    assert f'<html lang="{language}"' in page
    assert {"en": "Show me the table.", "ru": "Покажите стол.", "es": "Muéstrame la mesa."}[language] in page


def test_no_visible_text_of_the_page_escapes_translation(client):
    page = client.get(f"/?lang={PSEUDO}").text

    body = re.sub(r"<(script|style|head)\b.*?</\1>", " ", page, flags=re.S)
    body = re.sub(r"<option [^>]*lang=.*?</option>|<h1.*?</h1>", " ", body, flags=re.S)  # languages and our own name
    texts = [text.strip() for text in re.findall(r">([^<>]+)<", body)]
    labels = re.findall(r'(?:aria-label|alt|title)="([^"]+)"', body)
    stray = [t for t in [*texts, *labels] if re.search(r"[A-Za-zА-я]{2}", t) and not t.startswith("⟦")]
    assert stray == ["DOOM: The Board Game (2016)", "DOOM: The Boardgame (2004)"]


def test_every_sentence_that_the_scripts_ask_for_is_there_and_used():
    scripts = "\n".join(path.read_text() for path in STATIC.glob("*.js"))
    asked = set(re.findall(r'\bt\(\s*"(\w+)"', scripts))
    quoted = set(re.findall(r'"(\w+)"', scripts))
    there = {*CLIENT_TEXTS, *SETUP_TEXTS, *TEACH_TEXTS}
    assert asked <= there
    built = {name for name in there if name.startswith(("role_", "danger_", "kind_", "source_"))}
    assert there - quoted == built - quoted


def test_scripts_never_write_markup():
    for path in STATIC.glob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", path.read_text()), path


def test_nothing_comes_from_elsewhere(client):
    page = client.get("/").text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    for path in STATIC.glob("*.[!p]*"):  # pictures hold no addresses
        urls = re.findall(r"https?://[^\"' )]+", path.read_text())
        assert set(urls) <= {"http://www.w3.org/2000/svg"}, path


def test_the_page_has_no_inline_script_style_or_handler(client):
    page = client.get("/").text

    assert all('type="application/json"' in tag for tag in re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page))
    assert "<style" not in page
    assert not re.search(r"\s(?:style|on\w+)=", page)


def test_the_first_look_is_small(client):
    page = client.get("/").text
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    packed = {"Accept-Encoding": "gzip"}
    total_bytes = len(page.encode()) + sum(len(client.get(name, headers=packed).data) for name in set(files))

    assert len(files) > 5
    assert total_bytes < 100_000


def test_a_static_file_is_checked_and_sent_again_only_when_it_changed(client):
    first = client.get("/static/page.css")
    again = client.get("/static/page.css", headers={"If-None-Match": first.headers["ETag"]})

    assert first.status_code == 200
    assert again.status_code == 304


@pytest.mark.parametrize(
    "name", ["../app.py", "%2e%2e/app.py", "..%2fapp.py", "%2fetc%2fpasswd", "page.html", "%00", "..\\app.py"]
)
def test_no_path_leads_out_of_the_static_folder(client, name):
    assert client.get(f"/static/{name}").status_code == 404


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


def test_every_module_of_the_page_is_fetched_at_once():
    asked = {"page"}
    for _ in range(8):  # modules ask for modules
        sources = "\n".join((STATIC / f"{name}.js").read_text() for name in asked)
        asked |= set(re.findall(r'from "\./(\w+)\.js"', sources))

    assert set(pages.MODULES) == asked - {"page"}
    assert len(pages.MODULES) > 15
