/* Coverage-guided fuzzing of the firmware's core on the PC, under the address and undefined-behaviour sanitizers.
 *
 *   fuzz_core COUNT [SEED]    runs COUNT inputs; prints how many edges of the code they reached
 *
 * An input is a list of steps: bytes off a bad line, a message with a right checksum, or time that passes
 * with the button up or down. Inputs that reach code that none before reached are kept and varied.
 * Besides the sanitizers, the board's side checks what the core may never do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "framing.h"

#define MOST_BYTES 400
#define MOST_KEPT 4096
#define MAP_SIZE 65536

static uint8_t reached[MAP_SIZE];
static unsigned reached_count;
static bool is_new;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void) {
    static uintptr_t before;
    uintptr_t here = (uintptr_t)__builtin_return_address(0);
    uintptr_t edge = (here ^ before << 3 ^ here >> 12) % MAP_SIZE;
    before = here;
    if (reached[edge]) return;
    reached[edge] = 1;
    reached_count++;
    is_new = true;
}

/* -- the board's side --------------------------------------------------------------------------- */

static unsigned shown_count, answer_count;
static uint64_t drawn_total;
static uint32_t now_ms;
static struct strip_settings saved;
static bool has_saved;

static void demand(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "the core broke its promise: %s\n", what);
    abort();
}

void board_send(const uint8_t *bytes, uint8_t count) {
    struct wire_reader reader;
    wire_reset(&reader);
    demand(count <= 24, "answers fit the board's queue");
    for (uint8_t i = 0; i < count; i++) {
        enum wire_result result = wire_take(&reader, bytes[i]);
        demand(result == (i + 1 < count ? WIRE_MORE : WIRE_MESSAGE), "answers are whole frames");
    }
    demand(reader.message[0] >= WELCOME && reader.message[0] <= BUTTON, "answers are of a known type");
    answer_count++;
}

void board_show(const uint8_t *rgb, uint16_t pixel_count) {
    uint32_t drawn = 0;
    demand(pixel_count <= MAX_PIXELS, "a picture fits the strip");
    for (uint16_t i = 0; i < pixel_count * 3; i++) drawn += rgb[i]; /* the sanitizer sees every byte read */
    drawn_total += drawn;
    shown_count++;
}

uint16_t board_lost_bytes(void) { return (uint16_t)answer_count; }

void board_load(struct strip_settings *settings) {
    if (has_saved) *settings = saved;
}

void board_save(const struct strip_settings *settings) {
    demand(settings->pixel_count >= 1 && settings->pixel_count <= MAX_PIXELS, "a saved length is one");
    saved = *settings;
    has_saved = true;
}

/* -- inputs ------------------------------------------------------------------------------------- */

struct input {
    uint8_t bytes[MOST_BYTES];
    unsigned length;
};

static struct input kept[MOST_KEPT];
static unsigned kept_count;
static uint64_t state;

static uint32_t chance(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % below;
}

static void feed_message(const uint8_t *bytes, uint8_t length, bool fixes_colors) {
    uint8_t message[WIRE_MAX_MESSAGE], frame[WIRE_MAX_MESSAGE + 5];
    if (length > WIRE_MAX_MESSAGE - WIRE_TAIL) length = WIRE_MAX_MESSAGE - WIRE_TAIL;
    memcpy(message, bytes, length);
    if (fixes_colors && length >= 8 && message[0] == PIXELS) {
        unsigned low = 0, high = 0;
        for (unsigned i = 8; i < length; i++) low = (low + message[i]) % 255, high = (high + low) % 255;
        message[6] = (uint8_t)high;
        message[7] = (uint8_t)low;
    }
    uint8_t count = wire_encode(message, length, frame);
    for (unsigned i = 0; i < count; i++) core_receive(frame[i]);
}

static void run(const struct input *input) {
    core_start();
    for (unsigned at = 0; at + 1 < input->length;) {
        uint8_t step = input->bytes[at] % 4, size = input->bytes[at + 1];
        at += 2;
        if (size > input->length - at) size = (uint8_t)(input->length - at);
        if (step == 0) {
            for (unsigned i = 0; i < size; i++) core_receive(input->bytes[at + i]);
        } else if (step == 1 || step == 2) {
            feed_message(input->bytes + at, size, step == 2);
        } else {
            for (unsigned i = 0; i < size; i++) core_tick(now_ms += 1 + (input->bytes[at + i] & 0x3F), input->bytes[at + i] & 0x80);
        }
        at += size;
    }
}

static void vary(struct input *input) {
    static const uint8_t telling[] = {0, 1, 2, 3, 4, 5, 6, 0x2C, 0x3C, 0x7F, 0x80, 0xFE, 0xFF};
    for (uint32_t i = 1 + chance(8); i > 0; i--) {
        if (input->length == 0 || (chance(4) == 0 && input->length < MOST_BYTES)) {
            uint32_t at = chance(input->length + 1), more = 1 + chance(24);
            if (more > MOST_BYTES - input->length) more = MOST_BYTES - input->length;
            memmove(input->bytes + at + more, input->bytes + at, input->length - at);
            for (uint32_t j = 0; j < more; j++) input->bytes[at + j] = (uint8_t)chance(256);
            input->length += more;
        } else if (chance(5) == 0) {
            uint32_t at = chance(input->length), less = 1 + chance(input->length - at);
            memmove(input->bytes + at, input->bytes + at + less, input->length - at - less);
            input->length -= less;
        } else {
            input->bytes[chance(input->length)] = chance(2) ? telling[chance(sizeof telling)] : (uint8_t)chance(256);
        }
    }
}

static void plant(const uint8_t *bytes, unsigned length) {
    memcpy(kept[kept_count].bytes, bytes, length);
    kept[kept_count++].length = length;
}

int main(int argc, char **argv) {
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2654435761u + 1 : 88172645463325252u;
    /* A conversation to begin with: hello, a picture of two pixels, ping, configure, a press, seen, bye. */
    static const uint8_t talk[] = {2, 3, HELLO, 1, 1, 2, 14, PIXELS, 2, 1, 1, 0, 0, 0, 0, 9, 8, 7, 6, 5, 4, 2, 2, PING, 3,
                                   2, 6, CONFIGURE, 4, 0, 100, 3, 0, 3, 3, 0, 0xBF, 0x8F, 2, 3, SEEN, 5, 1, 2, 2, BYE, 6};
    plant(talk, sizeof talk);
    plant((const uint8_t[]){0, 3, 1, 1, 0}, 5);
    for (unsigned long i = 0; i < count; i++) {
        struct input input = kept[chance(kept_count)];
        vary(&input);
        is_new = false;
        run(&input);
        if (is_new && kept_count < MOST_KEPT) kept[kept_count++] = input;
    }
    printf("%lu inputs, %u kept, %u edges reached, %u pictures shown, %u answers, light %llu\n", count, kept_count, reached_count,
           shown_count, answer_count, (unsigned long long)drawn_total);
    return 0;
}
