"""The evidence of a call as a desk writes it from the table's data, since the table's computer may be gone by then."""

from __future__ import annotations

from assistant.app.tournament.desk_store import DeskStore
from assistant.app.tournament.evidence import Signer, pack_evidence
from assistant.app.tournament.sent_parts import sent_moment, topic_name
from assistant.documents.call import Call
from assistant.documents.evidence import MOMENT
from assistant.documents.table_event import table_events_from_lines
from assistant.errors import BadValue, CannotDo
from assistant.translations.messages import said


class NotAllCome(CannotDo):
    """The desk still lacks part of a call."""

    http_status = 409
    sentence = said("Not everything of this call has come from its table yet. Try again later, or ask the table.")


def desk_evidence(store: DeskStore, call: Call, signer: Signer, t_ms: int) -> bytes:
    """Return the ``sightline.evidence/1`` file of a call, signed by the desk.

    Raises:
        NotAllCome: a frozen part or an event of the table is missing here.
        StoreError: the store cannot be read.
    """
    sent = sent_moment(call, lambda name: store.part(call.id, name))
    if sent is None:
        raise NotAllCome
    found = {name: store.part(call.id, topic_name(name)) for name in (MOMENT, *sent.moment.parts)}
    frozen = {name: content for name, content in found.items() if content is not None}
    lines = store.events_of_table(call.table)
    try:
        table_events_from_lines(lines)
    except BadValue:
        raise NotAllCome from None
    if len(frozen) < len(found):
        raise NotAllCome
    return pack_evidence(call, lines, frozen, signer, t_ms)
