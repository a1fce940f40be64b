"""The command line in the reader's language: help, errors and output. Documents stay unchanged."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from assistant.cli import COMMANDS, cli, run
from assistant.cli.language import SENTENCES, paragraphs
from assistant.translations.catalogue import ENGLISH, languages, translate
from assistant.translations.foreign import recognised

FOREIGN = [tag for tag in languages() if tag != ENGLISH]
BOARD = "assistant/data/boards/corridor.json"


def sightline(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "SIGHTLINE_"))}
    program = "from assistant.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-P", "-c", program, *arguments],
        env={**plain, "PYTHONUTF8": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def commands(command: click.Command) -> Iterator[click.Command]:
    yield command
    for under in getattr(command, "commands", {}).values():
        yield from commands(under)


def texts() -> set[str]:
    """Return every sentence of the help of every command."""
    context = click.Context(cli)
    found = {summary for _, summary in COMMANDS.values()}
    for name in ("", *COMMANDS):
        top = cli.get_command(context, name) if name else cli
        assert top is not None
        for command in commands(top):
            found.update(paragraphs(command.help or ""))
            for option in command.params:
                text = " ".join((getattr(option, "help", None) or "").split())
                sentence = recognised(text, SENTENCES)
                found.add(
                    str(sentence.values.get("sentence", sentence.pattern if sentence.pattern in SENTENCES else text))
                )
    return found - {""}


@pytest.mark.parametrize("language", FOREIGN)
def test_every_help_text_has_words_in_every_language(language):
    assert len(texts()) > 150
    assert sorted(text for text in texts() if translate(text, language) == text) == []


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        (["rul"], {}, "No such command 'rul'. (Did you mean one of: 'rule', 'rules', 'run'?) See “sightline --help”."),
        (["detct"], {"SIGHTLINE_LANG": "es"}, "¿Querías decir 'detect'?"),
        (["detect", "--rostr", "x"], {}, "No such option '--rostr'. Did you mean '--roster'?"),  # was ' roster'
        (["match", "list", "--data", BOARD], {}, f"'{BOARD}' is a file; name a folder"),
        (["qqq"], {"SIGHTLINE_LANG": "ru"}, "Нет команды 'qqq'. См. «sightline --help»"),
        (["qqq"], {"SIGHTLINE_LANG": "es"}, "No existe la orden 'qqq'. Consulta «sightline --help»"),
        (["qqq"], {"LANG": "es_AR.UTF-8"}, "No existe la orden 'qqq'"),
        (["qqq"], {"LC_ALL": "C", "LANG": "ru_RU.UTF-8"}, "No such command 'qqq'"),
        (["qqq"], {"SIGHTLINE_LANG": "de", "LANG": "ru_RU.UTF-8"}, "No such command 'qqq'"),
        (["--lang", "es", "qqq"], {"SIGHTLINE_LANG": "ru"}, "No existe la orden 'qqq'"),
        (["--lang", "de", "qqq"], {}, "There is no translation into “de”. Choose from: en, es, ru."),
        (["rule", "doom2016", "none.json", "--pairs"], {"SIGHTLINE_LANG": "ru"}, "none.json: файл не читается"),
        (["rule", "doom2016", "none.json", "--pairs", "--lang", "es"], {}, "none.json: no se puede leer"),
        (["rule", "chess", BOARD, "--pairs"], {"SIGHTLINE_LANG": "es"}, "no hay ningún reglamento «chess»"),
        (["rule", "doom2016", BOARD], {"SIGHTLINE_LANG": "ru"}, "Укажите либо --from ID --to ID, либо --pairs"),
        (["reach", "doom2016", BOARD, "--points", "z"], {"SIGHTLINE_LANG": "ru"}, "'z' — не целое число"),
        (["sheets", "out", "--paper", "b"], {"SIGHTLINE_LANG": "es"}, "'b' no es ninguno de 'a4', 'letter'"),
    ],
)  # fmt: skip
def test_errors_are_in_the_readers_language(arguments, environment, told):
    done = sightline(*arguments, **environment)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("sightline: ")
    assert told in done.stderr


@pytest.mark.parametrize("language", FOREIGN)
def test_help_is_in_the_readers_language(language):
    overview = sightline("--help", SIGHTLINE_LANG=language).stdout
    english = sightline("--help").stdout

    assert [line.split()[0] for line in english.splitlines() if line.startswith("  d")] == [
        *(name for name in COMMANDS if name.startswith("d"))
    ]
    for _, summary in COMMANDS.values():
        assert summary in " ".join(english.split())
        assert summary not in " ".join(overview.split())
        assert translate(summary, language) in " ".join(overview.split())
    assert not re.search(r"^(Usage|Options|Commands):", overview, re.MULTILINE)
    options = sightline("run", "--help", SIGHTLINE_LANG=language).stdout
    assert "Default:" not in options
    assert "The page's port" not in options


@pytest.mark.parametrize("language", FOREIGN)
def test_documents_are_the_same_in_every_language(language):
    asked = ("rule", "doom2016", BOARD, "--pairs")
    english, foreign = sightline(*asked), sightline(*asked, SIGHTLINE_LANG=language)

    assert foreign.stdout == english.stdout
    assert json.loads(english.stdout.splitlines()[0])["reasons"]


def test_rules_are_listed_with_headings_in_the_readers_language():
    assert "Домашние правила (первый вариант" in sightline("rules", "doom2016", SIGHTLINE_LANG="ru").stdout


def test_english_reads_no_catalogue():
    program = (
        "import sys; from assistant.cli import run; "
        f"assert run(['rule', 'doom2016', {BOARD!r}, '--pairs']) == 0; "
        "assert run(['rule', 'doom2016', 'none.json', '--pairs']) == 2; "
        "assert not {'babel.messages', 'babel.support'} & {*sys.modules}, 'read'"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], env={**os.environ, "LC_ALL": "C"}, check=False)
    assert done.returncode == 0


def test_the_language_of_one_call_is_not_that_of_the_next(capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    assert run(["--lang", "ru", "qqq"]) == 2
    assert run(["qqq"]) == 2

    first, second = capsys.readouterr().err.splitlines()
    assert "Нет команды" in first
    assert "No such command" in second
