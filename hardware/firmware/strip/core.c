#include "core.h"

#include <string.h>

#include "button.h"
#include "framing.h"

#define HOST_GONE_MS 3000 /* the host speaks at least once a second */
#define BEACON_MS 500
#define EVENT_RESEND_MS 100
#define PATTERN_MS 50
#define EVENT_QUEUE 4
#define PIXELS_HEAD 6 /* picture, flags, first (2), check (2) */
#define FLAG_SHOW 0x01
#define CHANNEL_FULL_MA 20
#define PATTERN_STRIDE 8
#define PATTERN_PEAK 24

enum host_state { ABSENT, PRESENT, SAID_BYE };

struct event {
    uint8_t number;
    uint8_t kind;
};

static struct {
    struct wire_reader reader;
    struct button button;
    struct strip_settings settings;
    uint8_t pixels[MAX_PIXELS * 3];
    uint16_t filled;  /* pixels of the current picture that have come, without a hole */
    uint8_t picture;  /* its number */
    uint8_t host;     /* enum host_state */
    uint32_t now_ms;
    uint32_t heard_ms;
    uint32_t beacon_ms;
    uint32_t pattern_ms;
    uint32_t event_ms;
    struct event events[EVENT_QUEUE];
    uint8_t event_count;
    uint8_t event_number;
    uint16_t shown;
    uint16_t damaged;
} core;

/* -- answers ----------------------------------------------------------------------------------- */

static void put16(uint8_t *at, uint16_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static uint16_t get16(const uint8_t *at) { return (uint16_t)((at[0] << 8) | at[1]); }

static void answer(uint8_t type, uint8_t seq, const uint8_t *body, uint8_t length) {
    uint8_t message[WIRE_HEAD + 8];
    uint8_t encoded[sizeof message + 5];
    message[0] = type;
    message[1] = seq;
    if (length) memcpy(message + WIRE_HEAD, body, length);
    board_send(encoded, wire_encode(message, (uint8_t)(WIRE_HEAD + length), encoded));
}

static void welcome(uint8_t seq) {
    uint8_t body[8] = {PROTOCOL_VERSION, FIRMWARE_MAJOR, FIRMWARE_MINOR};
    put16(body + 3, core.settings.pixel_count);
    put16(body + 5, core.settings.limit_ma);
    body[7] = MESSAGE_PIXELS;
    answer(WELCOME, seq, body, sizeof body);
}

static void pong(uint8_t seq) {
    uint8_t body[6];
    put16(body, core.shown);
    put16(body + 2, core.damaged);
    put16(body + 4, board_lost_bytes());
    answer(PONG, seq, body, sizeof body);
}

static void refuse(uint8_t seq, uint8_t reason) { answer(NAK, seq, &reason, 1); }

/* -- the picture ------------------------------------------------------------------------------- */

static uint16_t fletcher16(const uint8_t *bytes, uint8_t count) {
    /* A second, quite different check: damage that happens to fit the CRC does not fit this one too. */
    uint16_t low = 0, high = 0;
    for (uint8_t i = 0; i < count; i++) {
        low += bytes[i];
        if (low >= 255) low -= 255;
        high += low;
        if (high >= 255) high -= 255;
    }
    return (uint16_t)((high << 8) | low);
}

static bool is_over_limit(uint16_t count) {
    uint32_t drawn = 0;
    if (core.settings.limit_ma == 0) return false;
    for (uint16_t i = 0; i < count * 3; i++) drawn += core.pixels[i];
    return count + drawn * CHANNEL_FULL_MA / 255 > core.settings.limit_ma;
}

/* Pixels behind a short picture go dark: left as they were, their current would be counted nowhere. */
static uint16_t whole_strip(void) {
    uint16_t count = core.settings.pixel_count;
    if (count <= core.filled) return core.filled;
    memset(core.pixels + core.filled * 3, 0, (size_t)(count - core.filled) * 3);
    return count;
}

/* Returns 0 when the colours were taken, else why not. */
static uint8_t take_pixels(const uint8_t *body, uint8_t length) {
    if (length < PIXELS_HEAD || (length - PIXELS_HEAD) % 3) return UNKNOWN;
    const uint8_t *colors = body + PIXELS_HEAD;
    uint8_t color_bytes = (uint8_t)(length - PIXELS_HEAD);
    uint16_t first = get16(body + 2), count = color_bytes / 3;
    if (first > MAX_PIXELS || count > MAX_PIXELS - first) return UNKNOWN;
    if (fletcher16(colors, color_bytes) != get16(body + 4)) return DAMAGED;
    if (first == 0) {
        core.picture = body[0];
        core.filled = 0;
    }
    /* After a restart in the middle of a picture its beginning is missing here: never show half of it. */
    if (body[0] != core.picture || first > core.filled) return INCOMPLETE;
    memcpy(core.pixels + first * 3, colors, color_bytes);
    if (first + count > core.filled) core.filled = (uint16_t)(first + count);
    if (!(body[1] & FLAG_SHOW)) return 0;
    uint16_t shown = whole_strip();
    if (is_over_limit(shown)) return OVER_LIMIT;
    board_show(core.pixels, shown);
    core.shown++;
    return 0;
}

static void go_dark(void) {
    core.filled = 0;
    memset(core.pixels, 0, sizeof core.pixels);
    board_show(core.pixels, core.settings.pixel_count);
}

/* Every eighth pixel breathes faintly in cold white, four seconds a breath: no picture of a match. */
static void show_host_gone(void) {
    uint8_t phase = (uint8_t)(core.now_ms >> 4);
    uint8_t rising = phase < 128 ? phase : (uint8_t)(255 - phase);
    uint8_t level = (uint8_t)(2 + rising * (PATTERN_PEAK - 2) / 127);
    uint16_t count = core.settings.pixel_count, lit = (uint16_t)((count + PATTERN_STRIDE - 1) / PATTERN_STRIDE);
    /* A lit pixel draws twice its level. On a long strip the pattern is kept under the limit, too. */
    if (core.settings.limit_ma != 0) {
        uint32_t most = (core.settings.limit_ma - count) * 255UL / CHANNEL_FULL_MA / (2UL * lit);
        if (level > most) level = (uint8_t)most;
    }
    core.filled = 0;
    memset(core.pixels, 0, sizeof core.pixels);
    for (uint16_t i = 0; i < count; i += PATTERN_STRIDE) {
        core.pixels[i * 3] = core.pixels[i * 3 + 1] = level / 2;
        core.pixels[i * 3 + 2] = level;
    }
    board_show(core.pixels, count);
}

/* -- messages of the host ---------------------------------------------------------------------- */

/* A limit below a milliampere a pixel would not even bear the dark strip. */
static bool can_be(const struct strip_settings *settings) {
    if (settings->pixel_count < 1 || settings->pixel_count > MAX_PIXELS) return false;
    return settings->limit_ma == 0 || settings->limit_ma >= settings->pixel_count;
}

static void configure(const uint8_t *body) {
    struct strip_settings wanted = {get16(body), get16(body + 2)};
    if (!can_be(&wanted)) return;
    go_dark(); /* the part that no longer belongs to the strip must not stay lit */
    core.settings = wanted;
    board_save(&core.settings);
}

static void meet_host(void) {
    core.host = PRESENT;
    core.event_count = 0; /* a host that starts afresh must not get presses from before it came */
    core.filled = 0;
}

static void drop_event(uint8_t number) {
    if (core.event_count == 0 || core.events[0].number != number) return;
    core.event_count--;
    memmove(core.events, core.events + 1, core.event_count * sizeof core.events[0]);
    core.event_ms = core.now_ms - EVENT_RESEND_MS;
}

static void obey(uint8_t type, uint8_t seq, const uint8_t *body, uint8_t length) {
    if (type == HELLO && length == 1) {
        meet_host();
        welcome(seq);
    } else if (core.host != PRESENT) {
        refuse(seq, HELLO_FIRST);
    } else if (type == PIXELS) {
        uint8_t reason = take_pixels(body, length);
        if (reason) refuse(seq, reason);
        else answer(ACK, seq, 0, 0);
    } else if (type == PING && length == 0) {
        pong(seq);
    } else if (type == SEEN && length == 1) {
        drop_event(body[0]);
    } else if (type == CONFIGURE && length == 4) {
        configure(body);
        welcome(seq);
    } else if (type == BYE && length == 0) {
        core.host = SAID_BYE;
        go_dark();
        answer(ACK, seq, 0, 0);
    } else {
        refuse(seq, UNKNOWN);
    }
}

void core_receive(uint8_t byte) {
    switch (wire_take(&core.reader, byte)) {
    case WIRE_MESSAGE:
        core.heard_ms = core.now_ms;
        obey(core.reader.message[0], core.reader.message[1], core.reader.message + WIRE_HEAD,
             (uint8_t)(core.reader.length - WIRE_HEAD));
        break;
    case WIRE_DAMAGED:
        core.damaged++;
        /* To a stranger nothing is said: it may not be the host at all. */
        if (core.host == PRESENT) refuse(0, DAMAGED);
        break;
    case WIRE_MORE:
        break;
    }
}

/* -- time -------------------------------------------------------------------------------------- */

static void queue_event(uint8_t kind) {
    if (core.host != PRESENT || core.event_count == EVENT_QUEUE) return;
    if (core.event_count == 0) core.event_ms = core.now_ms - EVENT_RESEND_MS;
    core.events[core.event_count].number = ++core.event_number;
    core.events[core.event_count++].kind = kind;
}

static void tell_event(void) {
    if (core.event_count == 0 || core.now_ms - core.event_ms < EVENT_RESEND_MS) return;
    core.event_ms = core.now_ms;
    answer(BUTTON, 0, (const uint8_t *)&core.events[0], sizeof core.events[0]);
}

static void tick_without_host(void) {
    if (core.now_ms - core.beacon_ms >= BEACON_MS) {
        core.beacon_ms = core.now_ms;
        welcome(0);
    }
    if (core.host == ABSENT && core.now_ms - core.pattern_ms >= PATTERN_MS) {
        core.pattern_ms = core.now_ms;
        show_host_gone();
    }
}

void core_tick(uint32_t now_ms, bool button_contact) {
    uint32_t elapsed_ms = now_ms - core.now_ms;
    if (elapsed_ms == 0) return;
    core.now_ms = now_ms;
    uint16_t counted_ms = (uint16_t)(elapsed_ms < 1000 ? elapsed_ms : 1000);
    enum button_event event = button_sample(&core.button, button_contact, counted_ms);
    if (event != BUTTON_NOTHING) queue_event(event);
    if (core.host == PRESENT && now_ms - core.heard_ms >= HOST_GONE_MS) {
        core.host = ABSENT;
        core.event_count = 0;
    }
    if (core.host == PRESENT) tell_event();
    else tick_without_host();
}

void core_start(void) {
    memset(&core, 0, sizeof core);
    wire_reset(&core.reader);
    button_start(&core.button);
    board_load(&core.settings);
    if (!can_be(&core.settings)) core.settings = (struct strip_settings){DEFAULT_PIXELS, DEFAULT_LIMIT_MA};
    go_dark();
    core.beacon_ms = (uint32_t)-BEACON_MS; /* the first beacon at once: it says that the boot is over */
}
