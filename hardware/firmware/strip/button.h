/* A push button that bounces: decides what was meant. Portable C, no hardware. */
#ifndef SIGHTLINE_BUTTON_H
#define SIGHTLINE_BUTTON_H

#include <stdbool.h>
#include <stdint.h>

enum button_event { BUTTON_NOTHING, BUTTON_PRESSED, BUTTON_RELEASED, BUTTON_HELD };

struct button {
    uint8_t weight;   /* looks that saw it down, less those that saw it up */
    bool is_down;     /* what was decided last */
    bool is_armed;    /* it was seen released since power came on */
    uint16_t down_ms; /* how long it has been down */
};

void button_start(struct button *button);

/* Call with what the contact says; `elapsed_ms` since the last call, not 0. A call counts as one look at
 * the contact however much time went by, so that a long picture cannot turn a spark into a press. */
enum button_event button_sample(struct button *button, bool contact, uint16_t elapsed_ms);

#endif
