"""What the attack assistant says in Russian and Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.match.words import Words


def _dice(english: str, ru: str, ru_many: str, es: str, es_many: str) -> dict[str, Words]:
    """A colour of dice: on one of them, counted as one, counted as several."""
    return {
        english: Words(ru, es),
        f"1 {english}": Words(f"1 {ru}", f"1 {es}"),
        f"{{count}} {english}": Words(f"{{count}} {ru_many}", f"{{count}} {es_many}"),
    }


WORDS: Mapping[str, Words] = {
    "{figure} has no attack ready now": Words(
        "{figure}: сейчас нет готовой атаки", "{figure} no tiene ahora un ataque preparado"
    ),
    "It is not {figure}'s turn now": Words("Сейчас ходит не {figure}", "Ahora no es el turno de {figure}"),
    "{count} {color}": Words("{count} {color}", "{count} {color}"),
    **_dice("red", "красный", "красных", "rojo", "rojos"),
    **_dice("black", "чёрный", "чёрных", "negro", "negros"),
    **_dice("yellow", "жёлтый", "жёлтых", "amarillo", "amarillos"),
    **_dice("green", "зелёный", "зелёных", "verde", "verdes"),
    **_dice("blue", "синий", "синих", "azul", "azules"),
    "Attack: range {range}, dice {dice}": Words(
        "Атака: дальность {range}, кубики: {dice}", "Ataque: alcance {range}, dados: {dice}"
    ),
    "Attack: dice {dice}": Words("Атака, кубики: {dice}", "Ataque, dados: {dice}"),
    "{weapon}: dice {dice}": Words("{weapon}, кубики: {dice}", "{weapon}, dados: {dice}"),
    "Die to leave out": Words("Какой кубик не бросать", "Dado que se deja fuera"),
    "{count} damage": Words("урон {count}", "{count} de daño"),
    "Frag": Words("Фраг", "Frag"),
    "{mean} damage on average": Words("Урон в среднем: {mean}", "{mean} de daño de media"),
    "{mean} wounds on average": Words("Ран в среднем: {mean}", "{mean} heridas de media"),
    "Hit": Words("Попадание", "Impacto"),
    "Kill": Words("Гибель цели", "Muerte del blanco"),
    "{defender} takes {damage} damage": Words(
        "{defender} получает урон: {damage}", "{defender} recibe {damage} de daño"
    ),
    "{reason}: damage {damage}, shields {shields}": Words(
        "{reason}: урон {damage}, щиты {shields}", "{reason}: daño {damage}, escudos {shields}"
    ),
    "{reason}: damage {damage}": Words("{reason}: урон {damage}", "{reason}: daño {damage}"),
    "{reason}: shields {shields}": Words("{reason}: щиты {shields}", "{reason}: escudos {shields}"),
    "{reason}: range {range}, damage {damage}": Words(
        "{reason}: дальность {range}, урон {damage}", "{reason}: alcance {range}, daño {damage}"
    ),
    "{reason}: range {range}": Words("{reason}: дальность {range}", "{reason}: alcance {range}"),
    "{figure} is stunned and reveals no card": Words(
        "{figure}: оглушение, карта не открывается", "{figure} tiene aturdimiento y no revela carta"
    ),
    "Shields on the card": Words("Щитов на карте", "Escudos en la carta"),
    "Dodge on the card": Words("Уклонение на карте", "Esquiva en la carta"),
    "Special defence on the card": Words("Особая защита на карте", "Defensa especial en la carta"),
    "A card or an ability changes the attack": Words(
        "Карта или способность меняет атаку", "Una carta o una habilidad cambia el ataque"
    ),
    "Which one": Words("Какая", "Cuál"),
    "Damage": Words("Урон", "Daño"),
    "Shields": Words("Щиты", "Escudos"),
    "Range": Words("Дальность", "Alcance"),
    "Call the attack off": Words("Отменить атаку", "Anular el ataque"),
    "Use the order to aim": Words("Использовать приказ «прицелиться»", "Usar la orden de apuntar"),
    "Blow through, a {color} die less": Words(
        "Пробить насквозь, минус один {color} кубик", "Atravesar, con un dado {color} menos"
    ),
    "Others in the blast": Words("Кто ещё во взрыве", "Otros en la explosión"),
    "The attack misses": Words("Промах", "El ataque falla"),
    "Apply it": Words("Применить", "Aplicarlo"),
    "It misses: go on": Words("Промах: дальше", "Falla: seguir"),
    "Who is hit where it scatters": Words("В кого попал отклонившийся выстрел", "A quién alcanza el disparo desviado"),
    "{figure} picks dice to roll again": Words(
        "{figure}: выбрать кубики для переброса", "{figure} elige dados para repetir"
    ),
    "Card": Words("Карта", "Carta"),
    "Wounds after armour": Words("Ран после брони", "Heridas tras la armadura"),
    "Knocked down": Words("Сбит с ног", "Derribado"),
    "Out of the game": Words("Выведен из игры", "Fuera de combate"),
    "Weapons: {weapons}": Words("Оружие: {weapons}", "Armas: {weapons}"),
    "{figure} is down: a hit that armour does not stop is the end": Words(
        "{figure} лежит: попадание, не остановленное бронёй, – конец",
        "{figure} está en el suelo: un impacto que la armadura no pare es el fin",
    ),
    "Passed": Words("Пройдена", "Superado"),
    "Die": Words("Кубик", "Dado"),
    "Highest die": Words("Старший кубик", "Dado más alto"),
    "{figure} blocks: the highest die is rolled again": Words(
        "{figure} блокирует: старший кубик перебрасывается", "{figure} bloquea: se repite el dado más alto"
    ),
    "{figure} hates: dice of the own roll again": Words(
        "{figure} ненавидит: переброс своих кубиков", "{figure} odia: repite dados propios"
    ),
    "{figure} has {total} against the shot": Words(
        "{figure}: {total} против выстрела", "{figure} tiene {total} contra el disparo"
    ),
    "{figure} lies down: the shot suffers for a small target": Words(
        "{figure} лежит: выстрел по малой цели труднее",
        "{figure} está cuerpo a tierra: el disparo sufre por blanco pequeño",
    ),
    "{figure} shoots first, at -1 to hit": Words(
        "{figure} стреляет первым, попадание -1", "{figure} dispara antes, con -1 para impactar"
    ),
    "The shooter's roll with everything": Words("Бросок стрелка со всеми поправками", "La tirada del tirador con todo"),
    "{figure} shoots: the hits as you rolled them": Words(
        "{figure} стреляет: попадания, как выпало", "{figure} dispara: los impactos que salieron"
    ),
    "Hits": Words("Попаданий", "Impactos"),
    "Weapon": Words("Оружие", "Arma"),
    "Silent weapon": Words("Бесшумное оружие", "Arma silenciosa"),
    "The target dies at once": Words("Цель гибнет сразу", "El blanco muere en el acto"),
    "{figure} ducks": Words("{figure} пригибается", "{figure} se agacha"),
    "{figure} lies down": Words("{figure} ложится или укрывается", "{figure} se echa o se cubre"),
    "{figure} tries to shoot first": Words("{figure} пробует выстрелить раньше", "{figure} intenta disparar antes"),
    "Shoots first": Words("Выстрелит раньше", "Dispara antes"),
    "stands higher": Words("стоит выше", "está más alto"),
    "strikes into cover or across an obstacle": Words(
        "бьёт в укрытие или через препятствие", "golpea a cubierto o a través de un obstáculo"
    ),
    "attacks out of a jump": Words("атакует в прыжке", "ataca al saltar"),
    "{mean} hits on average, {taken} suffered": Words(
        "Попаданий в среднем: {mean}, получено: {taken}", "{mean} impactos de media, {taken} recibidos"
    ),
    "{figure}: {hits} hits": Words("{figure}: попаданий {hits}", "{figure}: {hits} impactos"),
    "{figure} wins": Words("Побеждает {figure}", "Gana {figure}"),
    "Nobody wins": Words("Ничья", "Nadie gana"),
}
