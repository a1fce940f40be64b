"""What a browser runs on and what it is called, as far as it says: enough to know a phone on the table in a list."""

from __future__ import annotations

_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "Chromebook",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}

_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "YaBrowser/": "Yandex",
    "SamsungBrowser/": "Samsung",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
"""By what stands in the header, the telling words first: nearly every browser calls itself Safari, too."""


def browser_kind(user_agent: str) -> str:
    """Like ``iPhone, Safari``; empty for a program that says nothing known. Only words of our own are told on."""
    found = (next((name for word, name in words.items() if word in user_agent), "") for words in (_SYSTEMS, _BROWSERS))
    return ", ".join(filter(None, found))
