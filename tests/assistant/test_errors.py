"""Errors are data: a class and a sentence by its message id, worded only on display."""

from __future__ import annotations

import ast
import datetime
import importlib
import inspect
import pickle
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import assistant
import calibration
import hardware
import vision
import web
from assistant.app.care.rescue import StoreRescued
from assistant.app.teaching.library import WouldReplace
from assistant.app.tournament.claims import ClaimTaken
from assistant.app.tournament.desk import NotItsOwn, TableRefuses
from assistant.app.tournament.link_state import CodeShared, DeskOutdated
from assistant.app.tournament.outbox import OutboxFull
from assistant.app.tournament.steps import AsBeforeOrNone
from assistant.errors import (
    BadValue,
    BoardError,
    CalibrationError,
    CannotDo,
    DiskFull,
    DocumentError,
    IllegalStep,
    InputError,
    NameTaken,
    NoCameraChosen,
    NotYours,
    PhotoError,
    PhotoTooLarge,
    RecordingFull,
    RulerMisread,
    SightlineError,
    SizeMismatch,
    StepMissing,
    TooFewMarkers,
    TooFewViews,
    Unteachable,
)
from assistant.hosting.mqtt import BrokerAway, BrokerNotTrusted, BrokerPlace, BrokerRefuses, ClockWrong
from assistant.rules.reasons import Rule
from assistant.translations.catalogue import ENGLISH, catalogue_of, languages
from assistant.translations.messages import Said, said
from assistant.translations.speech import speech
from vision.views.reading import TableMoved
from web.problems.errors import status_of, word_error

ROOMS = (assistant, calibration, hardware, vision, web)
NOT_HERE = ("vision.training", "assistant.cli.")
"""Modules that need the training packages, or that raise errors without classes of their own."""

SENTENCE = said("The recording is over. Start the program again to see it from the beginning.")
"""Stands for any sentence given to a class at the raise."""

HALL = BrokerPlace("10.0.0.5", 8883, "table-12", "-")

MADE: dict[type[SightlineError], tuple[Any, ...]] = {
    AsBeforeOrNone: ("penalty", "Warning"),
    BrokerAway: (HALL,),
    BrokerNotTrusted: (HALL,),
    BrokerRefuses: (HALL,),
    ClaimTaken: ("Jo",),
    ClockWrong: (datetime.datetime(2025, 10, 1, 12, 0),),
    CodeShared: ("12",),
    DeskOutdated: ("D1", "0.0.9"),
    DiskFull: (3,),
    NameTaken: ("bridge",),
    NotItsOwn: ("12", "cmd/1"),
    OutboxFull: (256, 3),
    RecordingFull: (5,),
    RulerMisread: (50.5, 100.0),
    SizeMismatch: ((640, 480), (1280, 720)),
    StepMissing: ("table",),
    StoreRescued: (3, 120, "damaged-20260101-120000"),
    TableRefuses: ("12", "409"),
    TableMoved: ((), ("07A",)),
    TooFewMarkers: (2, 4),
    TooFewViews: (2,),
    Unteachable: ("name", "07A"),
    WouldReplace: (("07A", "07B"),),
}
"""Arguments for the classes whose sentence needs more than a message id."""


def kinds() -> list[type[SightlineError]]:
    """Return every class of errors, from every module."""
    for room in ROOMS:
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if not module.name.startswith(NOT_HERE):
                importlib.import_module(module.name)
    found = [SightlineError]
    for kind in found:
        found += [sub for sub in kind.__subclasses__() if sub not in found]
    return sorted(found, key=lambda kind: kind.__name__)


def made(kind: type[SightlineError]) -> SightlineError:
    if kind is PhotoTooLarge:
        return PhotoTooLarge(60, 50, document="photo")
    if kind in MADE:
        return kind(*MADE[kind])
    return kind() if hasattr(kind, "sentence") else kind(SENTENCE)


KINDS = kinds()


def calls() -> Iterator[tuple[Path, ast.Call]]:
    for room in ROOMS:
        for path in sorted(Path(room.__path__[0]).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield path, node


def called(call: ast.Call) -> str:
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def test_no_sentence_is_put_into_words_where_an_error_is_raised():
    names = {kind.__name__ for kind in KINDS}
    takes_text = {"NameTaken": 0, "StepMissing": 0, "Unteachable": 0}
    wrong = []
    for path, call in calls():
        if called(call) not in names or called(call) in takes_text:
            continue
        for given in [*call.args[:1], *(word.value for word in call.keywords if word.arg == "sentence")]:
            is_text = isinstance(given, ast.JoinedStr) or (
                isinstance(given, ast.Constant) and isinstance(given.value, str)
            )
            is_text |= isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add | ast.Mod)
            if is_text or (isinstance(given, ast.Call) and called(given) == "str"):
                wrong.append(f"{path}:{call.lineno}")
    assert wrong == []


def texts_of(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Context and text of the messages that a call marks."""
    texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    match called(call):
        case "said" | "message" if texts:
            yield "", texts[0]
        case "counted" if len(texts) > 1:
            yield "", texts[0]
        case "said_in" if len(texts) > 1:
            yield texts[0], texts[1]


@pytest.mark.parametrize("language", [tag for tag in languages() if tag != ENGLISH])
def test_every_sentence_has_words_in_every_language(language):
    known = catalogue_of(language)._catalog  # type: ignore[attr-defined] - gettext has no other way to ask
    marked = {(context, text) for _, call in calls() for context, text in texts_of(call)}
    assert len(marked) > 1000
    keys = {
        (context, text): f"{context}\x04{text}" if context else text
        for context, text in marked
        if re.search(r"[^\W\d_]", re.sub(r"\{\w*\}", "", text))
    }
    assert sorted(text for text, key in keys.items() if key not in known and (key, 0) not in known) == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_speaks_every_language(kind):
    problem = made(kind)
    told = [problem.worded(tag) for tag in languages()]

    assert len(set(told)) == len(told)
    assert all(len(sentence) > 10 for sentence in told)
    assert "⟦" in problem.worded("xx")
    assert not re.search(r"[a-z]{3,} [a-z]{3,}", re.sub(r"«sightline [^»]+»", "", problem.worded("ru")))
    assert str(problem) == problem.worded(ENGLISH)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_survives_the_way_to_another_process(kind):
    problem = made(kind)
    again = pickle.loads(pickle.dumps(problem))

    assert type(again) is kind
    assert again.__dict__ == problem.__dict__
    assert str(again) == str(problem)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_page_and_the_command_line_tell_the_same(kind, language):
    problem = made(kind)
    printed, shown = problem.worded(language), word_error(problem, speech(language))

    if problem.field and not problem.document:
        printed = printed.removeprefix(f"{problem.field}: ")  # the page shows it beside its field
    assert shown.casefold().rstrip(".") == printed.casefold().rstrip(".")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_an_error_means_to_others_hangs_on_its_class(kind):
    assert kind.exit_status == (2 if issubclass(kind, InputError) else 1)
    status = status_of(made(kind))
    assert 400 <= status < 600
    if kind.__module__ == "assistant.errors":
        assert not hasattr(kind, "http_status")
        expected = {NotYours: 403, IllegalStep: 409, NameTaken: 409, NoCameraChosen: 409, CalibrationError: 409}
        expected |= {InputError: 400, PhotoError: 422, CannotDo: 503, SightlineError: 500}
        assert status == next(expected[base] for base in inspect.getmro(kind) if base in expected)


def test_the_place_of_a_fault_stands_before_the_sentence():
    problem = BadValue(said("must be an object"), document="match.jsonl", field="line 12.seq")

    assert str(problem) == "match.jsonl: line 12.seq: must be an object"
    assert problem.worded("ru") == "match.jsonl: строка 12.seq: должен быть объект"
    assert problem.worded("es") == "match.jsonl: línea 12.seq: debe ser un objeto"


def test_a_document_may_have_a_name_in_words():
    problem = BadValue(said("a match has one to four marines"), document=said("match set-up"), field="marines")

    assert str(problem) == "match set-up: marines: a match has one to four marines"
    assert problem.worded("es") == "inicio de la partida: marines: una partida tiene de uno a cuatro marines"


def test_an_error_is_the_same_in_the_document_it_was_found_in():
    found = BoardError(said("a board needs at least one cell"), flags=4, field="cells")
    placed = found.in_document("bridge.json", "boards[0].")

    assert (type(placed), placed.flags, placed.sentence) == (BoardError, 4, found.sentence)
    assert str(placed) == "bridge.json: boards[0].cells: a board needs at least one cell"
    assert str(found) == "cells: a board needs at least one cell"


def test_a_part_of_a_sentence_is_in_the_same_language():
    reason = said("No such file or directory")
    problem = DocumentError(said("cannot be read ({reason}). Check the file's name.", reason=reason))

    assert (
        problem.worded("es") == "no se puede leer (No existe el archivo o la carpeta). Comprueba el nombre del archivo."
    )


def test_a_sentence_is_data():
    assert isinstance(made(TooFewMarkers).sentence, Said)


def test_a_refusal_by_a_rule_keeps_the_rule_when_raised_again():
    refusal = IllegalStep.by(Rule("toy/range", "a source", "a summary", {}), SENTENCE)
    again = pickle.loads(pickle.dumps(refusal)).in_document("m")
    assert (again.rule.id, again.rule.source, again.sentence) == ("toy/range", "a source", SENTENCE)
    assert IllegalStep(SENTENCE).rule is None
