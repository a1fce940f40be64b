"""A call as one HTML page for people without the program, with pictures and lines embedded."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from html import escape

from assistant.app.tournament.call_report import CallReport, GetPart, ReportRuling, report_pictures, speak_time
from assistant.documents.moment import FrozenPicture, SnappedBoard
from assistant.translations.speech import Speech

_STYLE = """
body{font:16px/1.45 system-ui,sans-serif;max-width:960px;margin:24px auto;padding:0 16px;color:#10202e;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2em;border-bottom:1px solid #c5cfd9}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 20px}dt{color:#46586a}dd{margin:0;white-space:pre-line}
dd,li,b,text{unicode-bidi:isolate}
figure{margin:16px 0}svg{width:100%;height:auto;background:#eee}figcaption{color:#46586a}
.free{stroke:#00b36b}.stopped{stroke:#e0442a;stroke-dasharray:10 8}
.from{stroke:#00b36b}.to{stroke:#ff9d1e;stroke-dasharray:10 6}
.edge{stroke:#fff;stroke-opacity:.8}.closed-door{stroke:#2f8fe0;stroke-opacity:1}
.base{stroke:#2f8fe0;stroke-opacity:1}.terrain{stroke-dasharray:8 4}
.open-door{stroke:#2f8fe0;stroke-dasharray:3 4;stroke-opacity:1}
text{fill:#fff;stroke:#000;stroke-width:.2em;paint-order:stroke;font-weight:700;text-anchor:middle}
line,circle{fill:none;stroke-width:3;vector-effect:non-scaling-stroke}
.edge{stroke-width:1.5}
"""


def report_html(report: CallReport, part: GetPart, fingerprint: str, speech: Speech) -> str:
    """Return the page in a reader's language. It loads no other file and runs no script."""
    said = speech.text
    title = said("A judge's call")
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<dl>{''.join(f'<dt>{escape(one.name)}</dt><dd>{escape(one.value)}</dd>' for one in report.facts)}</dl>",
        *(_picture(picture, rulings, part, report.names, speech) for picture, rulings in report_pictures(report)),
        _list(said("Corrected by hand"), (one.on_paper() for one in report.corrections)),
        _list(said("House rules"), (f"{one.name}: {one.value}" for one in report.options)),
        _list(said("Last steps of the match"), report.events),
        f"<p>{escape(said('The table signs evidence with the key'))} <b>{escape(fingerprint)}</b></p>",
        f"<p>{escape(said('In doubt? Ask for the evidence file and check it with sightline verify.'))}</p>",
    ]
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="{speech.language}"><head>{head}</head><body>{"".join(body)}</body></html>\n'


def _list(title: str, lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<h2>{escape(title)}</h2><ul>{items}</ul>" if items else ""


def _picture(
    picture: FrozenPicture, rulings: tuple[ReportRuling, ...], part: GetPart, names: Mapping[str, str], speech: Speech
) -> str:
    (left, top, wide, high), width, height = picture.focus, picture.width_px, picture.height_px
    source = base64.b64encode(part(picture.picture)).decode()
    shapes = [f'<image href="data:image/jpeg;base64,{source}" width="{width}" height="{height}"/>']
    board = picture.snapped or SnappedBoard()
    for edge in board.edges:
        x0, y0, x1, y1 = edge.ends
        shapes.append(f'<line class="edge {edge.kind.replace(" ", "-")}" x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}"/>')
    items = []
    for one in rulings:
        for line in one.lines:
            (x0, y0, x1, y1), kind = line.ends, "free" if line.is_free else "stopped"
            shapes.append(f'<line class="{kind}" x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}"/>')
        for (x, y), kind in zip(one.figures, ("from", "to"), strict=True):
            shapes.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="{wide / 50:.1f}"/>')
        sure = speech.text("Sure: {percent}", percent=one.stability)
        reasons = "".join(f"<li>{escape(reason)}</li>" for reason in one.reasons)
        who = f"{one.attacker} → {one.defender}: {one.headline} ({sure})"
        items.append(f"<p><b>{escape(who)}</b></p><ul>{reasons}</ul>")
    for figure in board.figures:
        x, y = figure.at
        place = f'x="{x}" y="{y - wide / 36:.1f}" font-size="{wide / 36:.1f}"'
        shapes.append(f"<text {place}>{escape(names[figure.id])}</text>")
    return (
        f'<figure><svg viewBox="{left} {top} {wide} {high}" role="img">{"".join(shapes)}</svg>'
        f"<figcaption>{escape(speak_time(picture.t))}</figcaption></figure>{''.join(items)}"
    )
