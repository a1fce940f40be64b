"""Checks evidence without the table: signature, hash chain, frozen parts, and every ruling recomputed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import takewhile

from assistant.app.tournament.drawing import differing_parts, drawing_of
from assistant.app.tournament.key_authority import is_sealed_by
from assistant.app.tournament.rule_again import asked_of, read_table, rule_again
from assistant.app.tournament.steps import CORRECTIONS_MS, call_after, corrections_from_t
from assistant.app.tournament.table_key import is_signed_by, key_fingerprint
from assistant.documents.call import Call, HandCorrection, call_from_json
from assistant.documents.evidence import CALL, EVENTS, MOMENT, Evidence, EvidenceManifest, evidence_from_zip, part_of
from assistant.documents.match import convert
from assistant.documents.moment import FrozenMoment, FrozenRuling, moment_from_json
from assistant.documents.table_event import TableEvent, table_events_from_lines
from assistant.errors import InputError
from assistant.translations.messages import Said, said, verbatim


@dataclass(frozen=True)
class Checked:
    """The findings of a check.

    Args:
        evidence: the file.
        call: the call; None if it cannot be read.
        moment: the frozen moment; None if it cannot be read.
        ruling_count: the number of rulings recomputed.
        findings: every mismatch; empty for unaltered evidence.
    """

    evidence: Evidence
    call: Call | None
    moment: FrozenMoment | None
    ruling_count: int
    findings: tuple[Said, ...]

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key in the file."""
        return key_fingerprint(self.evidence.manifest.key)


def check_evidence(data: bytes, document: str, fingerprint: str = "", authority_pem: bytes | None = None) -> Checked:
    """Check an evidence file and everything in it.

    Args:
        data: the bytes of the file.
        document: the file's name.
        fingerprint: the table's fingerprint, if the checker knows it from elsewhere; empty accepts any key.
        authority_pem: the certificate of the tournament whose authority must have signed the key; None skips this
            check.

    Raises:
        BadValue: the certificate is not valid.
        NoEvidence: it is not an evidence file.
        DocumentError: its manifest breaks its format.
    """
    evidence = evidence_from_zip(data, document)
    findings = [*_container_findings(evidence), *_signature_findings(evidence, fingerprint)]
    if authority_pem is not None:
        findings += _authority_findings(evidence, authority_pem)

    def tried(look: Callable[[], Iterator[Said]]) -> None:
        try:
            findings.extend(look())
        except InputError as problem:
            findings.append(_word_problem(problem))

    parts = _Parts(evidence, document)
    tried(lambda: _chain_findings(parts))
    tried(lambda: _moment_findings(parts))
    tried(lambda: _correction_findings(parts))
    tried(lambda: _ruling_findings(parts))
    tried(lambda: _picture_findings(parts))
    return Checked(evidence, parts.call, parts.moment, parts.ruling_count, tuple(findings))


class _Parts:
    """The parts of an evidence file, each read on first use."""

    def __init__(self, evidence: Evidence, document: str) -> None:
        self.evidence = evidence
        self.document = document
        self.call: Call | None = None
        self.moment: FrozenMoment | None = None
        self.ruling_count = 0

    def get(self, name: str) -> bytes:
        return part_of(self.evidence, name, self.document)

    def named(self, name: str) -> str:
        return f"{self.document}: {name}"

    def read_call(self) -> Call:
        self.call = call_from_json(self.get(CALL), self.named(CALL))
        return self.call

    def read_moment(self) -> FrozenMoment:
        self.moment = moment_from_json(self.get(MOMENT), self.named(MOMENT))
        return self.moment

    def read_events(self) -> tuple[tuple[TableEvent, ...], str]:
        lines = self.get(EVENTS).split(b"\n")
        return table_events_from_lines(lines[:-1] if lines[-1] == b"" else lines, self.named(EVENTS))


def _word_problem(problem: InputError) -> Said:
    where = ": ".join(str(part) for part in (problem.document, problem.field) if part)
    return Said("{where}: {reason}", {"where": where, "reason": problem.sentence}) if where else problem.sentence


def _container_findings(evidence: Evidence) -> Iterator[Said]:
    listed = {part.id: part for part in evidence.manifest.parts}
    for name in sorted({*listed, *evidence.parts}):
        content, facts = evidence.parts.get(name), listed.get(name)
        if content is None:
            yield said("{name} is missing", name=verbatim(name[:80]))
        elif facts is None:
            yield said("{name} is not in the list that was signed", name=verbatim(name))
        elif (len(content), hashlib.sha256(content).hexdigest()) != (facts.size_bytes, facts.sha256):
            yield said("{name} was changed after it was signed", name=verbatim(name))
    if not evidence.is_as_written:
        yield said("the file was changed after it was written")


def _signature_findings(evidence: Evidence, fingerprint: str) -> Iterator[Said]:
    key = evidence.manifest.key
    if not is_signed_by(key, evidence.signature, evidence.signed):
        yield said("the signature does not match: the signed data was changed afterwards")
    if fingerprint and _digits(fingerprint) != _digits(key_fingerprint(key)):
        yield said(
            "it was signed by another key ({found}) than that of the table ({wanted})",
            found=key_fingerprint(key),
            wanted=fingerprint[:80],
        )


def _signer_of(manifest: EvidenceManifest) -> tuple[str, bool]:
    """Return the name whose key must have signed, and whether it is a desk. No table signs for another."""
    return (manifest.written_at, True) if manifest.written_at else (manifest.table, False)


def _authority_findings(evidence: Evidence, authority_pem: bytes) -> Iterator[Said]:
    """Check that the tournament's authority signed the key, for this table or for the desk that wrote the file."""
    manifest, sealed = evidence.manifest, evidence.manifest.sealed or None
    is_sealed = sealed is not None and is_sealed_by(authority_pem, sealed)
    if sealed is None or not is_sealed:
        yield said("the tournament's authority has not signed the key of “{table}”", table=manifest.table)
    elif sealed.key != manifest.key or (sealed.name, sealed.is_desk is True) != _signer_of(manifest):
        yield said("the tournament's authority signed another key for “{table}”", table=sealed.name)


def _digits(fingerprint: str) -> str:
    return "".join(one for one in fingerprint.lower() if one.isalnum())


def _chain_findings(parts: _Parts) -> Iterator[Said]:
    """Check that the events form a chain up to the signed head, and result in the call."""
    manifest = parts.evidence.manifest
    call = parts.read_call()
    events, head = parts.read_events()
    if (len(events), head) != (manifest.event_count, manifest.head):
        yield said(
            "the last events are missing or replaced: the file has {found} of {wanted} events, and the chain "
            "does not end where it was signed",
            found=len(events),
            wanted=manifest.event_count,
        )
    folded: Call | None = None
    for event in events:
        if event.call == manifest.call:
            folded = call_after(folded, event)
    if folded != call:
        yield said("the call does not match its events")


def _moment_findings(parts: _Parts) -> Iterator[Said]:
    """Check that the frozen parts are those named when the call was opened."""
    moment = parts.read_moment()
    frozen_hash = None if parts.call is None else parts.call.frozen_hash
    if hashlib.sha256(parts.get(MOMENT)).hexdigest() != frozen_hash:
        yield said("the frozen data is not what the call froze")
    present = {name for name in parts.evidence.parts if name.startswith("frozen/") and name != MOMENT}
    needed = {
        name
        for one in moment.pictures
        for name in (one.picture, one.observation, one.believed, one.markers)
        if name is not None
    }
    for name in sorted((present ^ set(moment.parts)) | (needed - present)):
        yield said("{name} is missing from the frozen files, or was added to them", name=verbatim(name))
    for name in sorted(present & set(moment.parts)):
        if hashlib.sha256(parts.evidence.parts[name]).hexdigest() != moment.parts[name]:
            yield said("{name} is not what the call froze", name=verbatim(name))


def _correction_findings(parts: _Parts) -> Iterator[Said]:
    """Check that the call's hand corrections are those in the events before it."""
    if parts.call is None or parts.moment is None:
        return
    moment = parts.moment
    # Calls of earlier versions also include corrections from before their match began.
    bounds = (corrections_from_t(moment.t, moment.match), moment.t - CORRECTIONS_MS)
    events, _ = parts.read_events()
    before = takewhile(lambda event: event.call != parts.evidence.manifest.call, events)
    noted = [convert(one.payload, HandCorrection, f"event {one.seq}") for one in before if one.type == "corrected"]
    if parts.call.corrections not in [tuple(one for one in noted if one.t >= since_t) for since_t in bounds]:
        yield said("the call's corrections by hand do not match the events before it")


def _ruling_findings(parts: _Parts) -> Iterator[Said]:
    """Check that every ruling follows from the rules and its table."""
    moment = parts.moment
    for number, frozen in enumerate([] if moment is None else moment.rulings, 1):
        assert moment is not None, "without a moment there are no rulings"
        try:
            differing, drawn = _differences(parts, moment, frozen)
        except InputError as problem:
            yield said(
                "ruling {number} cannot be computed again: {reason}", number=number, reason=_word_problem(problem)
            )
            continue
        parts.ruling_count += 1
        if differing:
            yield said(
                "the rules of version {ours} give another answer than ruling {number}; the evidence was written "
                "by version {theirs} (different: {fields})",
                number=number,
                ours=version("sightline"),
                theirs=parts.evidence.manifest.versions.get("sightline", "?")[:40],
                fields=", ".join(differing)[:200],
            )
        if drawn:
            yield said(
                "the drawing on the photo for ruling {number} does not follow from its table (different: {fields})",
                number=number,
                fields=", ".join(drawn),
            )


def _differences(parts: _Parts, moment: FrozenMoment, frozen: FrozenRuling) -> tuple[list[str], list[str]]:
    """Return the fields of a ruling and of its drawing that do not follow from its picture's documents."""
    written = frozen.ruling
    asked = asked_of(written)
    if frozen.picture >= len(moment.pictures):
        return ["picture"], []
    picture = moment.pictures[frozen.picture]
    name = picture.believed or picture.observation
    table = read_table(parts.get(name), parts.named(name))
    now = rule_again(asked, table)
    differing = sorted(name for name in {*now, *written} if now.get(name) != written.get(name))
    drawing = drawing_of(picture, parts.get(name), parts.named(name))
    if drawing is None:
        return differing, []
    return differing, differing_parts(frozen, {"lines": drawing.lines(now), "figures": drawing.figures(asked)})


def _picture_findings(parts: _Parts) -> Iterator[Said]:
    """Check that every drawing over a picture follows from its table and its camera."""
    moment = parts.moment
    pictures = () if moment is None else moment.pictures
    looked_at = {len(pictures) - 1} | {one.picture for one in ([] if moment is None else moment.rulings)}
    for place, picture in enumerate(pictures):
        name = picture.believed or picture.observation
        drawing = drawing_of(picture, parts.get(name), parts.named(name))
        if drawing is None:
            yield said(
                "the drawing on picture {number} cannot be computed again: the position of its camera is not recorded",
                number=place + 1,
            )
            continue
        now = {"focus": drawing.focus(), "snapped": drawing.snapped() if place in looked_at else None}
        if differing := differing_parts(picture, now):
            yield said(
                "the drawing on picture {number} does not follow from its table (different: {fields})",
                number=place + 1,
                fields=", ".join(differing),
            )
