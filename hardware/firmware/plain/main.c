/* The same strip without the Arduino core. */
#include <avr/io.h>
#include <avr/wdt.h>

#include "board.h"

/* After a reset by the watchdog it keeps running, fast; it must be off before the start-up code clears
 * the memory, or it bites again. */
void watchdog_off(void) __attribute__((naked, used, section(".init3")));

void watchdog_off(void) {
    MCUSR = 0;
    wdt_disable();
}

int main(void) {
    board_begin();
    for (;;) board_step();
}
