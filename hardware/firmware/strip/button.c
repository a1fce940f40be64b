#include "button.h"

/* Contacts of cheap buttons bounce for 1 to 10 ms; 15 looks, a millisecond apart, are still felt as at once. */
#define SURE_LOOKS 15
#define HELD_MS 700

void button_start(struct button *button) {
    /* Taken as down at first: a button that is held while power comes on says nothing until it is let go. */
    button->weight = SURE_LOOKS;
    button->is_down = true;
    button->is_armed = false;
    button->down_ms = 0;
}

static enum button_event changed(struct button *button, bool is_down) {
    bool was_armed = button->is_armed;
    button->is_down = is_down;
    button->down_ms = 0;
    if (!is_down) button->is_armed = true;
    if (!was_armed) return BUTTON_NOTHING;
    return is_down ? BUTTON_PRESSED : BUTTON_RELEASED;
}

enum button_event button_sample(struct button *button, bool contact, uint16_t elapsed_ms) {
    if (contact && button->weight < SURE_LOOKS) button->weight++;
    if (!contact && button->weight > 0) button->weight--;
    if (!button->is_down && button->weight == SURE_LOOKS) return changed(button, true);
    if (button->is_down && button->weight == 0) return changed(button, false);
    if (!button->is_down || !button->is_armed || button->down_ms >= HELD_MS) return BUTTON_NOTHING;
    uint16_t missing_ms = (uint16_t)(HELD_MS - button->down_ms);
    button->down_ms = (uint16_t)(elapsed_ms < missing_ms ? button->down_ms + elapsed_ms : HELD_MS);
    return button->down_ms == HELD_MS ? BUTTON_HELD : BUTTON_NOTHING;
}
