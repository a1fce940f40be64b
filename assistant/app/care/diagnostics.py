"""Packs one file for a bug report: findings, installed packages, settings and set-ups, without secrets."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import distributions
from types import MappingProxyType

import msgspec

from assistant.app.care.examination import Symptom
from assistant.app.setup.cameras import shown_camera
from assistant.errors import SightlineError
from assistant.profiles import READERS, ProfileKind, Profiles
from assistant.translations.messages import said
from assistant.translations.speech import Speech

FORMAT = "sightline.diagnostics/1"

PREFIX = "SIGHTLINE_"

HIDDEN = said("(left out)")

_SECRET = re.compile(r"(?i)pass|secret|token|key|code")
_WITH_PASSWORD = re.compile(r"(?<=://)\S*@")
"""Matches up to the last @, because people type passwords into addresses unescaped."""

_WITH_QUESTION = re.compile(r"(://[^\s?#]*)[?#]\S*")
"""Matches an address's query, where many cameras take their password."""


def finding_documents(findings: Sequence[Symptom], speech: Speech) -> list[dict[str, str]]:
    """Return the findings as JSON objects in the reader's language."""
    return [
        {"part": finding.part, "state": finding.state, "sentence": finding.sentence.worded(speech.language)}
        for finding in findings
    ]


def pack_diagnostics(
    findings: Sequence[Symptom],
    profiles: Profiles,
    environment: Mapping[str, str],
    speech: Speech,
    reports: Mapping[str, bytes] = MappingProxyType({}),
) -> bytes:
    """Return a zip of ``findings.json``, ``packages.txt``, ``settings.json`` and the documents of every set-up.

    It leaves out pictures, matches, devices, the user's name in their paths, and everything of a camera's address
    except its location.

    Args:
        findings: the findings of an examination.
        profiles: the kept set-ups.
        environment: the environment variables; only Sightline's own are read.
        speech: the language of the findings.
        reports: reports of wrong readings that the owner wants to include, by name.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        home = environment.get("HOME", "").rstrip("/")
        found = [
            {**one, "sentence": _without_home(without_password(one["sentence"]), home)}
            for one in finding_documents(findings, speech)
        ]
        document = {"format": FORMAT, "findings": found}
        file.writestr("findings.json", json.dumps(document, ensure_ascii=False, indent=1))
        packages = {f"{one.metadata['Name']}=={one.version}" for one in distributions()}
        file.writestr("packages.txt", "\n".join(sorted(packages, key=str.lower)) + "\n")
        file.writestr("settings.json", json.dumps(_settings(environment, home), ensure_ascii=False, indent=1))
        for kind in READERS:
            for name in profiles.names(kind):
                file.writestr(f"{kind}/{name}.json", _document(profiles, kind, name))
        for name, content in reports.items():
            file.writestr(f"reports/{name}", content, zipfile.ZIP_STORED)
    return packed.getvalue()


def _settings(environment: Mapping[str, str], home: str) -> dict[str, str]:
    own = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    return {
        name: str(HIDDEN) if _SECRET.search(name) else _without_home(without_password(value), home)
        for name, value in own.items()
    }


def without_password(text: str) -> str:
    """Return the text with the user part and the query stripped from every address."""
    return _WITH_QUESTION.sub(r"\1", _WITH_PASSWORD.sub("", text))


def _without_home(text: str, home: str) -> str:
    """Return the text with ``~`` for the user's folder."""
    return text.replace(home, "~") if home else text


def _document(profiles: Profiles, kind: ProfileKind, name: str) -> bytes:
    """Return a kept document without its camera's password, or the error's sentence if it cannot be read."""
    try:
        kept = profiles.read(kind, name)
    except SightlineError as problem:
        return str(problem).encode()
    if kind != "setup":
        return kept
    try:
        document = msgspec.json.decode(kept, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return without_password(kept.decode("utf-8", "replace")).encode()
    return msgspec.json.encode({**document, "source": _shown(document.get("source"))})


def _shown(source: object) -> str | None:
    """Return a source's name without its password, in whatever form the password is written."""
    if not isinstance(source, str):
        return None
    try:
        return shown_camera(source)
    except SightlineError:
        return without_password(source)
