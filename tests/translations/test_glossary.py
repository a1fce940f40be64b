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
"""Banned patterns by the word to use instead; the table is in the catalogues' README."""


@pytest.mark.parametrize(("tag", "instead"), [(tag, word) for tag, words in BANNED.items() for word in words])
def test_no_other_word_stands_for_a_thing(tag: str, instead: str) -> None:
    banned = re.compile(BANNED[tag][instead], re.IGNORECASE)
    for message in read_catalogue(HERE / f"{tag}.po"):
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id:
            assert [text for text in forms if banned.search(re.sub(r"\{\w+\}", "", text))] == [], f"say: {instead}"


NAMES = (
    "attacker|blocker|card|defender|demon|enemy|fighter|friend|held|item|key|marine|portal|second|shooter"
    "|subject|target|targets|terrain|weapon|winner"
)
"""Placeholders of a message for names of figures and things, whose catalogue has only the nominative."""

OF_ONE_GENDER = "door|figure|teleporter"
"""Placeholders whose names have one gender, or whose noun is implied."""

GOVERNED = {
    "ru": {
        "a verb or preposition before a name": r"(?:^|[^\w-])(?:[вкосу]|во|для|до|за|из|из-за|ко|между|на|над|о|об|от"
        r"|по|под|перед|после|при|про|против|рядом с|со|среди|через|активиру\w+|активировать|атаку\w+|атаковать|берёт"
        r"|берут|брать|взять|добить|закрыва\w+|закрыть|кладёт|открыва\w+|открыть|получа\w+|призвать|разряжа\w+|разыгрыва\w+"
        r"|сбрасыва\w+|ставит|телепортиру\w+ на|убира\w+|убрать|нет|без|перевес|колода|кроме)"
        rf" «?\{{(?:{NAMES}|{OF_ONE_GENDER})\}}",
        "a name before its verb": rf"\{{(?:{NAMES}|{OF_ONE_GENDER})\}}»? "
        r"(?:ничто|никто|не хватает|нельзя|можно|нужн[аоы]?|надо|приходится)\b",
        "a kind after a verb": r"(?:Активировать|активирует|призвать|ставит) «?\{kind\}",
    },
    "es": {
        "a participle of one gender": rf"\{{(?:{NAMES})\}}»? (?:ya |no |ya no )?"
        r"(?:está|estaba|es|queda|sigue|va) (?!junto\b)\w+(?:[aoi]d|st|t)[oa]\b",
        "an article before a name": r"\b(?:el|la|un|una|al|del|este|esta|ningún|ninguna|otro|otra) "
        rf"«?\{{(?:{NAMES}|{OF_ONE_GENDER})\}}",
        "a verb of one number before what may be one or many": r"\bhacen? falta \{|^gana(?: la partida)?: ",
    },
}
"""Patterns that would inflect a name; write it after a colon, a dash, or a noun that agrees."""

CORNERS = re.compile(r"(?:угла|центра|Ближе всего: до|прямая до) \{target\}")
"""Spaces and their corners, which nobody declines."""


@pytest.mark.parametrize(("tag", "what"), [(tag, what) for tag, patterns in GOVERNED.items() for what in patterns])
def test_no_name_has_to_change_its_form(tag: str, what: str) -> None:
    governed = re.compile(GOVERNED[tag][what], re.IGNORECASE)
    found = []
    for message in read_catalogue(HERE / f"{tag}.po"):
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        found += [text for text in forms if message.id and governed.search(CORNERS.sub("", text))]
    assert found == []
