"""What people call a figure, a kind or a thing by its id: “Imp 2” for ``imp-2``, in Russian «Имп 2».

Ids that nobody put into words here stay as their owner wrote them, with spaces for the signs between.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple


class Called(NamedTuple):
    """An English word for figures or things in the other languages."""

    ru: str
    es: str


CALLED: Mapping[str, Called] = {
    # Sides, and who fights on them.
    "marines": Called("морпехи", "marines"),
    "invader": Called("захватчик", "invasor"),
    "demons": Called("демоны", "demonios"),
    "demon": Called("демон", "demonio"),
    "marine": Called("морпех", "marine"),
    "ranger": Called("рейнджер", "ranger"),
    "medic": Called("медик", "médico"),
    "gunner": Called("стрелок", "artillero"),
    "imp": Called("имп", "diablillo"),
    "brute": Called("громила", "bruto"),
    "harrier": Called("налётчик", "acosador"),
    "crawler": Called("ползун", "reptador"),
    "trooper": Called("солдат", "soldado"),
    "skull": Called("череп", "calavera"),
    "colossus": Called("колосс", "coloso"),
    "zombie": Called("зомби", "zombi"),
    "possessed": Called("одержимый", "poseído"),
    "pinky": Called("пинки", "pinky"),
    "mancubus": Called("манкубус", "mancubus"),
    "cacodemon": Called("какодемон", "cacodemon"),
    "trite": Called("трит", "trite"),
    "digger": Called("копатель", "excavador"),
    "spitter": Called("плевун", "escupidor"),
    "mortar": Called("мортира", "mortero"),
    "squire": Called("оруженосец", "escudero"),
    "old man": Called("старик", "anciano"),
    "crossbow": Called("арбалетчик", "ballestero"),
    "road knight": Called("рыцарь дорог", "caballero de los caminos"),
    "figure": Called("фигура", "figura"),
    # Call signs.
    "alpha": Called("альфа", "alfa"),
    "bravo": Called("браво", "bravo"),
    "charlie": Called("чарли", "charlie"),
    "delta": Called("дельта", "delta"),
    "echo": Called("эхо", "eco"),
    "foxtrot": Called("фокстрот", "foxtrot"),
    # Colours of marines, as the first word of their names.
    "red marine": Called("красный морпех", "marine rojo"),
    "green marine": Called("зелёный морпех", "marine verde"),
    "blue marine": Called("синий морпех", "marine azul"),
    # What lies on the board.
    "door": Called("дверь", "puerta"),
    "portal": Called("портал", "portal"),
    "teleporter": Called("телепорт", "teletransportador"),
    "medikit": Called("аптечка", "botiquín"),
    "health": Called("здоровье", "salud"),
    "launcher": Called("пусковая установка", "lanzador"),
    "red key": Called("красный ключ", "llave roja"),
    "fists": Called("кулаки", "puños"),
    "fist": Called("кулак", "puño"),
    "grenade": Called("граната", "granada"),
    "rockets": Called("ракеты", "cohetes"),
    "chaingun": Called("пулемёт", "ametralladora"),
    "chainsaw": Called("бензопила", "motosierra"),
    "shotgun": Called("дробовик", "escopeta"),
    "pistol": Called("пистолет", "pistola"),
    "shotgun token": Called("жетон дробовика", "ficha de escopeta"),
    "bullets": Called("патроны", "balas"),
    "bullets token": Called("жетон патронов", "ficha de balas"),
}
"""Words that rosters and missions name figures and things by; a number may follow each."""

_NUMBERED = re.compile(r"(?P<words>.*?)(?P<number> \d+)?")


def spoken_id(name: str, language: str = "en") -> str:
    """A name in words: ``imp~2`` and ``imp-2`` become “Imp 2”, ``alpha`` becomes “Alpha”, in ``ru`` «Альфа»."""
    words = spoken_word(name, language)
    return words[:1].upper() + words[1:]


def spoken_word(name: str, language: str = "en") -> str:
    """The same inside a sentence: a kind that is written small stays small."""
    words = re.sub(r"[~_-]+", " ", name).strip() or name
    numbered = _NUMBERED.fullmatch(words)
    called = CALLED.get(numbered["words"].lower()) if numbered else None
    if numbered and called and language in Called._fields:
        return f"{getattr(called, language)}{numbered['number'] or ''}"
    return words
