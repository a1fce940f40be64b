"""One word for one thing: the variants that the glossary bans occur in no catalogue."""

from __future__ import annotations

import re

import pytest

from assistant.translations.collecting import HERE, read_catalogue

BANNED = {
    "ru": {
        "цель": r"мишен",
        "клетка": r"пространств|\bгекс",
        "фигура": r"фигурк|миниатюр",
        "подставка; in roads база": r"основани[ея]",
        "маркер": r"жетон",
        "кубик": r"\bкост(ь|и|ей|ью|ям|ями)\b|\bкуб(ы|ов)?\b",
        "домашнее правило": r"договорённост|\bопци",
        "снимок, изображение": r"\bфото\b|фотограф|картинк",
        "нападение": r"разбег",
        "бешенство": r"неистов|в ярости",
        "тупость": r"глупост",
        "дозор": r"наблюда",
        "тест": r"проверк[аиу] (на|глуп|пройд|не пройд)|нужна проверка",
        "идеальное убийство": r"славн",
        "потрясена": r"ошеломл",
        "толстокожесть": r"шкур",
        "маленькая фигура": r"\bмал(ы[ехм]|ая|ыми) фигур|— мала ",
        "труднопроходимая": r"\bтрудн(ая|ой|ую) местност",
        "карту вскрывают": r"\bоткры\w+ (другую |следующую )?карт|\bкарта \w* ?не открыва",
        "аргент-энергия": r"аргент(?!-энерги)",
        "основное действие": r"главное действие",
        "спринт, залп": r"рывок|шквал",
        "охранять": r"прикры[вт]",
        "навылет": r"насквозь",
        "em dash": r" – ",
    },
    "es": {
        "objetivo": r"\bblancos?\b",
        "peana": r"\bbases?\b",
        "casilla; sitio on a disk": r"\bespacios?\b(?!, puntos)",
        "marcador": r"\bmarcas?\b",
        "miniatura for models of roads": r"\bmodelos?\b",
        "tú, not usted": r"\busted(es)?\b|^mire|; mire|fotografíela|\b(toque|elija) (el|la|un|una)\b|\b(ponga|compruebe"
        r"|compare|pregunte|quite|encienda|baje|revise|vuelva|configure|suelte|deje|abra|mueva|escriba|pulse|espere|pida)"
        r"(los?|las?)?\b",
        "tú, not vosotros": r"\w+(áis|éis)\b|\b(tirad|decid|elegid|poned)\b|vuestr",
        "prueba": r"chequeo|\btests?\b",
        "decisión": r"dictamen",
        "regla de la casa": r"\bopci(ón|ones)\b",
        "teléfono": r"\bmóvil\b",
        "Intro": r"\benter\b",
        "en el suelo": r"derribad",
        "generar, generación": r"despl[ie]+g|\baparici(ón|ones)\b|haz aparecer",
        "repetir dados": r"volver a tirar|vuelven? a tirar|relanz",
        "impactar": r"\bacert|\baciert",
        "habilidad": r"capacidad",
        "en directo": r"en vivo",
        "lente": r"tablero (de|para el) objetivo",
        "configurar": r"preparar la mesa|\bpreparación\b",
    },
}
"""Patterns that are banned, by the word that stands for the thing instead; the table is in the catalogues' README."""


@pytest.mark.parametrize(("tag", "instead"), [(tag, word) for tag, words in BANNED.items() for word in words])
def test_no_other_word_stands_for_a_thing(tag: str, instead: str) -> None:
    banned = re.compile(BANNED[tag][instead], re.IGNORECASE)
    for message in read_catalogue(HERE / f"{tag}.po"):
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id:
            assert [text for text in forms if banned.search(re.sub(r"\{\w+\}", "", text))] == [], f"say: {instead}"
