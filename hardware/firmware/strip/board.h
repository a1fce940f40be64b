/* The ATmega328P (Uno, Nano) at 16 MHz: serial port, clock, data pin, button, watchdog, EEPROM. */
#ifndef SIGHTLINE_BOARD_H
#define SIGHTLINE_BOARD_H

#ifndef BAUD_RATE
#define BAUD_RATE 250000UL /* exact at 16 MHz; 115200 would be off by 2.1 % */
#endif

void board_begin(void);
/* One round of the main loop. */
void board_step(void);

#endif
