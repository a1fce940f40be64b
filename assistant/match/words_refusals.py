"""Why a command was refused, for every system: in Russian and Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.match.words import Words

WORDS: Mapping[str, Words] = {
    "there is no figure “{typed}” on the table; choose one that is listed": Words(
        "на столе нет фигурки «{typed}»; выберите из списка",
        "no hay ninguna figura «{typed}» en la mesa; elige una de la lista",
    ),
    "the camera reports what it sees and decides nothing": Words(
        "камера сообщает, что видит, и ничего не решает", "la cámara informa de lo que ve y no decide nada"
    ),
    "this is for the side “{side}” to decide; wait for them or ask a judge": Words(
        "это решает сторона «{side}»; подождите её или спросите судью",
        "esto lo decide el bando «{side}»; espera a ese bando o pregunta a un juez",
    ),
    "“{card}” is not in the hand; choose a card that is": Words(
        "карты «{card}» нет на руке; выберите ту, что есть", "«{card}» no está en la mano; elige una carta que esté"
    ),
    "the cells of {figure} make no base; choose others": Words(
        "клетки фигурки {figure} не составляют подставки; выберите другие",
        "las casillas de {figure} no forman una base; elige otras",
    ),
    "{figure} would stand on {other}; choose another place": Words(
        "{figure} встанет на место, где уже {other}; выберите другое место",
        "{figure} estaría sobre {other}; elige otro lugar",
    ),
    "the match has not seen the table yet; take a photo or load a board first": Words(
        "партия ещё не видела стола; сделайте фото или загрузите поле",
        "la partida todavía no ha visto la mesa; haz una foto o carga antes un tablero",
    ),
    "there is no door “{door}” on this table; choose one that is drawn": Words(
        "на этом столе нет двери «{door}»; выберите ту, что нарисована",
        "no hay ninguna puerta «{door}» en esta mesa; elige una que esté dibujada",
    ),
    "{cells} is not on the board; choose cells that are drawn": Words(
        "{cells} – вне поля; выберите нарисованные клетки", "{cells} no está en el tablero; elige casillas dibujadas"
    ),
    "{figure} cannot end there with {points} points; choose one of the cells that are shown": Words(
        "{figure} не дойдёт туда, очков движения: {points}; выберите одну из показанных клеток",
        "{figure} no puede acabar ahí con {points} puntos; elige una de las casillas marcadas",
    ),
    "only a judge sets this right; call one": Words(
        "это исправляет только судья; позовите его", "esto solo lo corrige un juez; llama a uno"
    ),
    "the match has gone on in the meantime; look at the table again and repeat": Words(
        "партия тем временем ушла вперёд; посмотрите на стол и повторите",
        "la partida ha seguido entretanto; mira otra vez la mesa y repite",
    ),
    "the match is over; undo the last step to play on": Words(
        "партия окончена; отмените последний шаг, чтобы играть дальше",
        "la partida ha terminado; deshaz el último paso para seguir jugando",
    ),
    "this takes the cards of the side “{side}”; do it on a device of that side": Words(
        "для этого нужны карты стороны «{side}»; сделайте это на её устройстве",
        "para esto hacen falta las cartas del bando «{side}»; hazlo en un dispositivo de ese bando",
    ),
    "the match is over already": Words("партия уже окончена", "la partida ya ha terminado"),
    "there is no side “{side}”; choose one of {sides}": Words(
        "стороны «{side}» нет; выберите одну из: {sides}", "no hay ningún bando «{side}»; elige uno de: {sides}"
    ),
    "this match is played on a table of the format {wanted}": Words(
        "эта партия играется на столе формата {wanted}", "esta partida se juega en una mesa del formato {wanted}"
    ),
    "“{other}” stands there; choose free cells": Words(
        "там стоит «{other}»; выберите свободные клетки", "ahí está «{other}»; elige casillas libres"
    ),
    "only a judge leaves time out of the clocks; call one": Words(
        "время из часов вычитает только судья; позовите его",
        "solo un juez descuenta tiempo de los relojes; llama a uno",
    ),
    "the clocks are running already": Words("часы уже идут", "los relojes ya están en marcha"),
    "the clocks are stopped already; let them run on first": Words(
        "часы уже стоят; сначала пустите их", "los relojes ya están parados; ponlos antes en marcha"
    ),
    "there is no entry {entry} in the history to go back to; choose one that is listed": Words(
        "в истории нет записи {entry}, к которой можно вернуться; выберите из списка",
        "no hay ninguna entrada {entry} en el historial a la que volver; elige una de la lista",
    ),
    "there is no entry {entry} that was taken back; choose one that is listed": Words(
        "среди отменённого нет записи {entry}; выберите из списка",
        "no hay ninguna entrada {entry} deshecha; elige una de la lista",
    ),
    "there is nothing to redo": Words("возвращать нечего", "no hay nada que rehacer"),
    "there is nothing to undo": Words("отменять нечего", "no hay nada que deshacer"),
    "“{title}” showed what cannot be forgotten; ask a judge to take it back": Words(
        "«{title}» показало то, чего уже не забыть; попросите судью отменить это",
        "«{title}» mostró algo que ya no se puede olvidar; pide a un juez que lo deshaga",
    ),
}
