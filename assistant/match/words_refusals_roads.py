"""Why a command was refused in a skirmish, in Russian and Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.match.words import Words

WORDS: Mapping[str, Words] = {
    "a fleeing model does not fight": Words("бегущая модель не сражается", "una miniatura que huye no combate"),
    "a gap of {steps} steps is too wide": Words(
        "провал в {steps} шагов слишком широк", "un hueco de {steps} pasos es demasiado ancho"
    ),
    "a shot that was reacted to is open; shoot first": Words(
        "открыт выстрел, на который отреагировали; сначала стреляйте",
        "hay un disparo al que se ha reaccionado; dispara antes",
    ),
    "a side may withdraw only when its rout test is due": Words(
        "сторона может уйти, только когда пора проверять бегство",
        "un bando solo puede retirarse cuando le toca su prueba de desbandada",
    ),
    "a test is due first: {kind}": Words("сначала нужна проверка: {kind}", "antes toca una prueba: {kind}"),
    "a watch is declared at the start of the turn": Words(
        "наблюдение объявляют в начале хода", "la vigilancia se declara al principio del turno"
    ),
    "begin the skirmish first": Words("сначала начните стычку", "empieza antes la escaramuza"),
    "charges are declared in the movement phase": Words(
        "атаку с разбега объявляют в фазе движения", "las cargas se declaran en la fase de movimiento"
    ),
    "finish the fight first": Words("сначала закончите схватку", "termina antes el combate"),
    "it is the turn of {side}": Words("сейчас ход стороны: {side}", "es el turno de: {side}"),
    "models climb and jump in the movement phase": Words(
        "модели лазают и прыгают в фазе движения", "las miniaturas trepan y saltan en la fase de movimiento"
    ),
    "models fight in the melee phase": Words(
        "модели сражаются в фазе рукопашной", "las miniaturas combaten en la fase de combate"
    ),
    "models move in the movement phase": Words(
        "модели двигаются в фазе движения", "las miniaturas se mueven en la fase de movimiento"
    ),
    "models shoot in the shooting phase": Words(
        "модели стреляют в фазе стрельбы", "las miniaturas disparan en la fase de disparo"
    ),
    "name dice of this fight by their places, each once, with their new faces": Words(
        "назовите кубики этой схватки по местам, каждый один раз, с новыми гранями",
        "nombra los dados de este combate por su lugar, cada uno una vez, con sus caras nuevas",
    ),
    "no flight of {figure} was rolled": Words(
        "для фигурки {figure} бегство не выпало", "no se tiró ninguna huida de {figure}"
    ),
    "no test is due now": Words("сейчас нет проверок", "ahora no toca ninguna prueba"),
    "nobody jumps down {steps} steps": Words(
        "никто не прыгает вниз на {steps} шагов", "nadie salta {steps} pasos hacia abajo"
    ),
    "only a model in frenzy ignores its tests": Words(
        "свои проверки пропускает только модель в неистовстве", "solo una miniatura en frenesí ignora sus pruebas"
    ),
    "only a model that watches shoots in the turn of {side}": Words(
        "в ход стороны {side} стреляет только наблюдающая модель",
        "en el turno de {side} solo dispara una miniatura que vigila",
    ),
    "only models on foot watch": Words("наблюдают только пешие модели", "solo vigilan las miniaturas a pie"),
    "roll {count} dice for {first} and {count_2} for {second}": Words(
        "бросьте кубиков: {first} – {count}, {second} – {count_2}",
        "tira {count} dados por {first} y {count_2} por {second}",
    ),
    "tell the roll of {figure} as total; {target} has {total}": Words(
        "назовите бросок фигурки {figure} целиком; у фигурки {target} {total}",
        "di la tirada total de {figure}; {target} tiene {total}",
    ),
    "the skirmish has begun already": Words("стычка уже началась", "la escaramuza ya ha empezado"),
    "there are no hits on {figure}; say what happens": Words(
        "у фигурки {figure} попаданий нет; скажите, что происходит", "no hay impactos en {figure}; di qué ocurre"
    ),
    "there is no fight to decide; let two models fight first": Words(
        "нет схватки; сначала пусть сразятся две модели",
        "no hay ningún combate que decidir; haz que combatan antes dos miniaturas",
    ),
    "there is no model “{figure}” in this skirmish; choose one that is listed": Words(
        "в этой стычке нет модели «{figure}»; выберите из списка",
        "no hay ninguna miniatura «{figure}» en esta escaramuza; elige una de la lista",
    ),
    "these two have fought in this phase": Words(
        "эти двое в этой фазе уже сражались", "estas dos ya han combatido en esta fase"
    ),
    "this was used already in this fight": Words(
        "в этой схватке это уже использовано", "esto ya se usó en este combate"
    ),
    "two enemies on the table fight": Words(
        "сражаются два врага на столе", "combaten dos enemigos que están en la mesa"
    ),
    "two shields cancel each other out": Words("два щита гасят друг друга", "dos escudos se anulan entre sí"),
    "work out the hits on {figure} first": Words(
        "сначала разберите попадания: {figure}", "resuelve antes los impactos en {figure}"
    ),
    "{figure} can do nothing now: {stopped}": Words(
        "{figure} сейчас ничего не может: {stopped}", "{figure} no puede hacer nada ahora: {stopped}"
    ),
    "{figure} cannot climb higher than {mobility} steps": Words(
        "{figure} не может лезть выше чем на {mobility} шагов", "{figure} no puede trepar más de {mobility} pasos"
    ),
    "{figure} cannot shoot (again) in this turn": Words(
        "{figure} в этом ходе (больше) не стреляет", "{figure} no puede disparar (más) en este turno"
    ),
    "{figure} does not see {target}": Words("{figure} не видит цель: {target}", "{figure} no ve a {target}"),
    "{figure} failed the test of stupidity and does not charge": Words(
        "{figure}: проверка глупости не пройдена, атаки с разбега нет",
        "{figure} falló la prueba de estupidez y no carga",
    ),
    "{figure} has moved already": Words("{figure}: движение уже было", "{figure} ya se ha movido"),
    "{figure} has no shield": Words("{figure}: щита нет", "{figure} no tiene escudo"),
    "{figure} has no weapon left to shoot with first": Words(
        "{figure}: нет оружия, чтобы выстрелить первым", "a {figure} no le queda ningún arma con la que disparar antes"
    ),
    "{figure} has nothing to advance after": Words(
        "{figure}: наступать не после чего", "{figure} no tiene tras qué avanzar"
    ),
    "{figure} hates no one here": Words("{figure} здесь никого не ненавидит", "{figure} no odia a nadie aquí"),
    "{figure} is down and cannot block": Words(
        "{figure}: сбит с ног, блок невозможен", "{figure} está en el suelo y no puede bloquear"
    ),
    "{figure} is down or fleeing and cannot react": Words(
        "{figure}: сбит с ног или бежит, реакции нет", "{figure} está en el suelo o huye y no puede reaccionar"
    ),
    "{figure} is fighting": Words("{figure} сражается", "{figure} está combatiendo"),
    "{figure} is not camouflaged": Words("{figure}: маскировки нет", "{figure} no está camuflado"),
    "{figure} is not down": Words("{figure}: не сбит с ног", "{figure} no está en el suelo"),
    "{figure} is not drawn into the melee": Words(
        "{figure} не втянут в рукопашную", "{figure} no está atraído al combate"
    ),
    "{figure} is not in this fight": Words("{figure} не в этой схватке", "{figure} no está en este combate"),
    "{figure} is out": Words("{figure}: вне игры", "{figure} está fuera"),
    "{figure} ran or watches in this turn": Words(
        "{figure}: в этом ходе был бег или наблюдение", "{figure} corrió o vigila en este turno"
    ),
    "{figure} ran, charged or watches in this turn": Words(
        "{figure}: в этом ходе был бег, разбег или наблюдение", "{figure} corrió, cargó o vigila en este turno"
    ),
    "{figure} shoots at {shooter} first": Words(
        "сначала {figure} стреляет в цель: {shooter}", "{figure} dispara antes a {shooter}"
    ),
    "{figure} watches and does nothing else in this turn": Words(
        "{figure} наблюдает и больше ничего в этом ходе не делает", "{figure} vigila y no hace nada más en este turno"
    ),
    "{figure} would stand on {taken}; choose another place": Words(
        "{figure} встанет на место, где уже {taken}; выберите другое место",
        "{figure} estaría sobre {taken}; elige otro lugar",
    ),
    "{first} and {second} are not in contact": Words(
        "{first} и {second} не соприкасаются", "{first} y {second} no están en contacto"
    ),
    "{first} and {second} would roll more dice than the rules reckon with": Words(
        "{first} и {second} бросали бы больше кубиков, чем знают правила",
        "{first} y {second} tirarían más dados de los que prevén las reglas",
    ),
    "{flights} must flee first": Words("сначала бегут: {flights}", "antes deben huir: {flights}"),
    "{found} is too near: he would hear and see {figure}": Words(
        "слишком близко {found}: услышит и увидит, {figure} не спрячется",
        "{found} está demasiado cerca: oiría y vería a {figure}",
    ),
    "{shooter} shoots at {figure} before anybody else": Words(
        "сначала {shooter} стреляет в цель: {figure}", "{shooter} dispara a {figure} antes que a nadie"
    ),
    "{target} has {total} against {total_2}: there are no hits": Words(
        "у фигурки {target} {total} против {total_2}: попаданий нет",
        "{target} tiene {total} contra {total_2}: no hay impactos",
    ),
    "{target} is camouflaged and cannot be shot at": Words(
        "{target}: маскировка, стрелять сюда нельзя", "{target} está camuflado y no se le puede disparar"
    ),
    "{target} is no enemy on the table": Words("{target} – не враг на столе", "{target} no es un enemigo en la mesa"),
    "{to_draw_in} must be drawn in, or stay out, first": Words(
        "сначала должны быть втянуты или остаться в стороне: {to_draw_in}",
        "antes deben entrar en el combate, o quedarse fuera: {to_draw_in}",
    ),
    "{to_draw_in} must be drawn into the melee, or stay out of it": Words(
        "должны быть втянуты в рукопашную или остаться в стороне: {to_draw_in}",
        "deben entrar en el combate, o quedarse fuera: {to_draw_in}",
    ),
}
