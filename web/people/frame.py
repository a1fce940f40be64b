"""The frame of a page: what is put into its template before its script asks for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import render_template

from web.people.session import current_speech, meet_device
from web.serving.files import modules_of
from web.shell.texts import client_texts


def framed(name: str, texts: Mapping[str, Any], **facts: Any) -> str:
    """The document of a page in the language and for the role of who asks.

    Args:
        name: the page's room and name; its template is that with ``.html``, its first script that with ``.js``.
        texts: the sentences that its scripts say besides those of every page.
        facts: what the template asks for besides.
    """
    speech = current_speech()
    return render_template(
        f"{name}.html",
        _=speech.text,
        language=speech.language,
        # Named, so that the browser fetches them all at once.
        modules=modules_of(f"{name}.js"),
        role=meet_device().role,
        texts={**client_texts(speech), **texts},
        **facts,
    )
