#include <Arduino.h>
// Sightline's LED strip for an Arduino Uno or Nano: LED data on D6, button from D2 to ground.
// Open this folder in the Arduino IDE, choose the board and upload. How to wire it: ../../README.md.

extern "C" {
#include "board.h"
}

void setup() { board_begin(); }

void loop() { board_step(); }
