/* A workbench for the strip's firmware: the real binary in simavr, with a true model of what is round it.
 *
 * simavr's own serial port has a 64-byte buffer and stops the sender, so it can lose nothing; a real
 * ATmega328P holds two bytes and one in its shift register. Its ports lift pulled-up inputs at every
 * write. Both are replaced here at the registers. The data pin is read as an LED strip would read it.
 *
 * Time is counted in cycles and stands still between calls: no threads, no wall clock.
 */
#include <simavr/avr_eeprom.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define F_CPU 16000000ULL
#define CYCLES_OF_US(us) ((us) * (F_CPU / 1000000))

/* ATmega328P data addresses and bits (datasheet, register summary). */
enum { PIND = 0x29, DDRD = 0x2A, PORTD = 0x2B, UCSR0A = 0xC0, UCSR0B = 0xC1, UBRR0L = 0xC4, UBRR0H = 0xC5, UDR0 = 0xC6 };
enum { RXC = 0x80, TXC = 0x40, UDRE = 0x20, DOR = 0x08, U2X = 0x02 };
enum { RXCIE = 0x80, RXEN = 0x10, TXEN = 0x08, RX_VECTOR = 18 };
enum { DATA_PIN = 0x40, BUTTON_PIN = 0x04 };

#define LINE_BYTES (1 << 16)
#define STRIP_BYTES 900
#define FRAME_QUEUE 64
#define EDGE_COUNT 8192

/* What the pin's pulses looked like, in cycles. */
struct pulses {
    uint32_t zero_high[2], one_high[2], zero_low[2], one_low[2]; /* least and most */
    uint32_t longest_gap;  /* low between two bytes of a frame */
    uint32_t shortest_latch; /* low between two frames */
    uint64_t bits, odd;    /* odd: neither a zero nor a one, or a low between gap and latch */
};

struct frame {
    uint8_t rgb[STRIP_BYTES];
    uint16_t bytes;
    uint64_t latched_at;
};

struct bench {
    avr_t *avr;
    uint64_t character; /* cycles a character takes on the host's side */
    uint64_t stuck_until; /* in the bootloader: the sketch does not run, the line is swallowed */
    /* host to strip */
    uint8_t line[LINE_BYTES];
    uint32_t line_head, line_tail;
    uint64_t line_free_at; /* when the character under way has arrived */
    uint8_t holding[3];    /* two bytes and the shift register */
    uint8_t held;
    bool overrun;
    uint64_t lost;
    /* strip to host */
    uint8_t back[LINE_BYTES];
    uint32_t back_head, back_tail;
    uint64_t sent_at; /* when the transmitter has shifted everything out */
    bool waiting;     /* a byte waits behind the one under way */
    uint64_t waiting_moves_at;
    struct { uint64_t at; uint8_t byte; } flight[4];
    uint8_t flying;
    bool button;
    /* LED strip on the data pin */
    bool level;
    uint64_t rose_at, fell_at;
    uint32_t bit_count;
    uint8_t last_bit;
    uint8_t wire_bytes[STRIP_BYTES + 1];
    struct frame frames[FRAME_QUEUE];
    uint32_t frame_head, frame_tail, frame_total, frames_missed;
    struct pulses pulses;
    uint64_t edges[EDGE_COUNT]; /* time * 2 + level */
    uint32_t edge_count;
    bool records;
};

/* -- LED strip --------------------------------------------------------------------------------- */

static void widen(uint32_t range[2], uint32_t value) {
    if (value < range[0]) range[0] = value;
    if (value > range[1]) range[1] = value;
}

static void latch(struct bench *b, uint64_t at) {
    if (b->bit_count == 0) return;
    if (b->bit_count % 24) b->pulses.odd++;
    if (b->frame_head - b->frame_tail == FRAME_QUEUE) {
        b->frame_tail++;
        b->frames_missed++;
    }
    struct frame *frame = &b->frames[b->frame_head++ % FRAME_QUEUE];
    uint32_t count = b->bit_count / 24 * 3;
    for (uint32_t i = 0; i + 2 < count; i += 3) { /* the LEDs take green first */
        frame->rgb[i] = b->wire_bytes[i + 1];
        frame->rgb[i + 1] = b->wire_bytes[i];
        frame->rgb[i + 2] = b->wire_bytes[i + 2];
    }
    frame->bytes = (uint16_t)count;
    frame->latched_at = at;
    b->frame_total++;
    b->bit_count = 0;
}

static void pin_rises(struct bench *b, uint64_t now) {
    uint32_t low = (uint32_t)(now - b->fell_at < UINT32_MAX ? now - b->fell_at : UINT32_MAX);
    b->rose_at = now;
    if (low >= CYCLES_OF_US(280)) {
        if (low < b->pulses.shortest_latch) b->pulses.shortest_latch = low;
        latch(b, b->fell_at + CYCLES_OF_US(280));
    } else if (low >= CYCLES_OF_US(50)) {
        b->pulses.odd++; /* old chips would latch, new ones not */
    } else if (b->bit_count % 8 == 0) {
        if (low > b->pulses.longest_gap) b->pulses.longest_gap = low;
    } else {
        widen(b->last_bit ? b->pulses.one_low : b->pulses.zero_low, low);
    }
}

static void pin_falls(struct bench *b, uint64_t now) {
    uint32_t high = (uint32_t)(now - b->rose_at);
    b->fell_at = now;
    b->last_bit = high > 9; /* 0.56 us, in the middle between 0.4 and 0.8 us of the datasheet */
    widen(b->last_bit ? b->pulses.one_high : b->pulses.zero_high, high);
    b->pulses.bits++;
    uint32_t at = b->bit_count / 8;
    if (at >= STRIP_BYTES) {
        b->pulses.odd++;
        return;
    }
    b->wire_bytes[at] = (uint8_t)(b->wire_bytes[at] << 1 | b->last_bit);
    b->bit_count++;
}

static void write_port(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
    struct bench *b = param;
    avr->data[addr] = value;
    bool level = (value & DATA_PIN) && (avr->data[DDRD] & DATA_PIN);
    if (level == b->level) return;
    b->level = level;
    if (b->records && b->edge_count < EDGE_COUNT) b->edges[b->edge_count++] = avr->cycle << 1 | level;
    if (level) pin_rises(b, avr->cycle);
    else pin_falls(b, avr->cycle);
}

static uint8_t read_pin(avr_t *avr, avr_io_addr_t addr, void *param) {
    struct bench *b = param;
    uint8_t outputs = avr->data[PORTD] & avr->data[DDRD];
    uint8_t pulled_up = avr->data[PORTD] & ~avr->data[DDRD];
    if (b->button) pulled_up &= (uint8_t)~BUTTON_PIN;
    avr->data[addr] = outputs | pulled_up;
    return avr->data[addr];
}

/* -- serial port ------------------------------------------------------------------------------- */

static uint64_t own_character(const struct bench *b) {
    uint32_t divisor = (uint32_t)((b->avr->data[UBRR0H] & 0x0F) << 8 | b->avr->data[UBRR0L]) + 1;
    return 10ULL * divisor * (b->avr->data[UCSR0A] & U2X ? 8 : 16);
}

static avr_int_vector_t *vector(struct bench *b, uint8_t number) {
    for (int i = 0; i < b->avr->interrupts.vector_count; i++)
        if (b->avr->interrupts.vector[i]->vector == number) return b->avr->interrupts.vector[i];
    abort();
}

/* The receive interrupt is a level: pending for as long as a byte is held and the firmware wants it. It is
 * handed to simavr only while interrupts are on, whose queue of 64 would overflow otherwise. */
static void refresh_interrupt(struct bench *b) {
    avr_int_vector_t *rx = vector(b, RX_VECTOR);
    bool is_due = b->held && (b->avr->data[UCSR0B] & RXCIE);
    if (!is_due && rx->pending) avr_clear_interrupt(b->avr, rx);
    if (is_due && !rx->pending && b->avr->sreg[S_I]) avr_raise_interrupt(b->avr, rx);
}

static uint8_t read_status(avr_t *avr, avr_io_addr_t addr, void *param) {
    struct bench *b = param;
    uint8_t status = avr->data[addr] & U2X;
    if (b->held) status |= RXC;
    if (b->overrun) status |= DOR;
    if (!b->waiting) status |= UDRE;
    if (!b->waiting && avr->cycle >= b->sent_at) status |= TXC;
    avr->data[addr] = status;
    return status;
}

static void write_status(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
    (void)param;
    avr->data[addr] = (avr->data[addr] & (uint8_t)~U2X) | (value & U2X);
}

static void write_control(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
    avr->data[addr] = value;
    refresh_interrupt(param);
}

static uint8_t read_byte(avr_t *avr, avr_io_addr_t addr, void *param) {
    struct bench *b = param;
    avr->data[addr] = b->holding[0];
    b->overrun = false;
    if (b->held) {
        b->held--;
        memmove(b->holding, b->holding + 1, 2);
    }
    refresh_interrupt(b);
    return avr->data[addr];
}

static void write_byte(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
    struct bench *b = param;
    (void)addr;
    if (!(avr->data[UCSR0B] & TXEN) || b->waiting) return; /* as the chip: written too early, ignored */
    uint64_t start = avr->cycle;
    if (avr->cycle < b->sent_at) {
        start = b->sent_at;
        b->waiting = true;
        b->waiting_moves_at = start;
    }
    b->sent_at = start + own_character(b);
    b->flight[b->flying].at = b->sent_at;
    b->flight[b->flying++].byte = value;
}

static void arrive(struct bench *b) {
    while (b->line_head != b->line_tail && b->line_free_at <= b->avr->cycle) {
        uint8_t byte = b->line[b->line_tail++ % LINE_BYTES];
        if (b->avr->cycle < b->stuck_until) {
            /* the bootloader has it */
        } else if (!(b->avr->data[UCSR0B] & RXEN)) {
            b->lost++;
        } else if (b->held == 3) {
            b->overrun = true;
            b->lost++;
        } else {
            b->holding[b->held++] = byte;
        }
        b->line_free_at += b->character;
    }
}

static void depart(struct bench *b) {
    if (b->waiting && b->avr->cycle >= b->waiting_moves_at) b->waiting = false;
    while (b->flying && b->flight[0].at <= b->avr->cycle) {
        b->back[b->back_head++ % LINE_BYTES] = b->flight[0].byte;
        memmove(b->flight, b->flight + 1, --b->flying * sizeof b->flight[0]);
    }
}

/* -- the bench --------------------------------------------------------------------------------- */

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles) {
    (void)avr;
    (void)cycles;
}

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments) {
    (void)avr;
    if (level <= LOG_ERROR) vfprintf(stderr, format, arguments);
}

static int load_hex(avr_t *avr, const char *path) {
    FILE *file = fopen(path, "r");
    char text[600];
    if (!file) return -1;
    while (fgets(text, sizeof text, file)) {
        unsigned count, address, type, byte;
        if (sscanf(text, ":%2x%4x%2x", &count, &address, &type) != 3 || type != 0) continue;
        for (unsigned i = 0; i < count && address + i <= avr->flashend; i++) {
            if (sscanf(text + 9 + 2 * i, "%2x", &byte) != 1) break;
            avr->flash[address + i] = (uint8_t)byte;
        }
    }
    fclose(file);
    return 0;
}

static void hook(struct bench *b) {
    avr_t *avr = b->avr;
    struct { avr_io_addr_t addr; avr_io_read_t read; avr_io_write_t write; } hooks[] = {
        {PORTD, NULL, write_port},         {PIND, read_pin, NULL},          {UCSR0A, read_status, write_status},
        {UCSR0B, NULL, write_control},     {UDR0, read_byte, write_byte},
    };
    for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++) {
        uint8_t io = AVR_DATA_TO_IO(hooks[i].addr);
        avr->io[io].r.c = hooks[i].read;
        avr->io[io].r.param = b;
        avr->io[io].w.c = hooks[i].write;
        avr->io[io].w.param = b;
        avr->io[io].irq = NULL;
    }
    uint8_t plain[] = {AVR_DATA_TO_IO(UBRR0L), AVR_DATA_TO_IO(UBRR0H)};
    for (size_t i = 0; i < sizeof plain; i++) avr->io[plain[i]].w.c = NULL, avr->io[plain[i]].r.c = NULL;
}

static void clear_pulses(struct bench *b) {
    struct pulses fresh = {{~0u, 0}, {~0u, 0}, {~0u, 0}, {~0u, 0}, 0, ~0u, 0, 0};
    b->pulses = fresh;
}

struct bench *bench_open(const char *hex_path) {
    avr_global_logger_set(quiet);
    struct bench *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->avr = avr_make_mcu_by_name("atmega328p");
    if (!b->avr || avr_init(b->avr) || load_hex(b->avr, hex_path)) {
        free(b);
        return NULL;
    }
    b->avr->frequency = F_CPU;
    b->avr->codeend = b->avr->flashend;
    b->avr->sleep = no_sleep;
    b->avr->run_cycle_limit = 1;
    b->character = F_CPU * 10 / 250000;
    clear_pulses(b);
    hook(b);
    return b;
}

void bench_close(struct bench *b) {
    avr_terminate(b->avr);
    free(b->avr);
    free(b);
}

/* Cycles between two looks at the serial line: 1 is exact, 64 is faster and up to 4 us late. */
void bench_set_slice(struct bench *b, uint32_t cycles) { b->avr->run_cycle_limit = cycles; }

void bench_set_baud(struct bench *b, uint32_t baud) { b->character = F_CPU * 10 / baud; }

/* Runs until `cycle`; returns 0, or -1 when the firmware crashed. */
int bench_run_until(struct bench *b, uint64_t cycle) {
    while (b->avr->cycle < cycle) {
        if (b->avr->cycle < b->stuck_until) {
            b->avr->cycle = b->stuck_until < cycle ? b->stuck_until : cycle;
        } else {
            int state = avr_run(b->avr);
            if (state == cpu_Done || state == cpu_Crashed) return -1;
        }
        if (b->line_head != b->line_tail) arrive(b);
        if (b->flying) depart(b);
        if (b->held) refresh_interrupt(b);
    }
    if (!b->level && b->avr->cycle - b->fell_at >= CYCLES_OF_US(280)) latch(b, b->fell_at + CYCLES_OF_US(280));
    return 0;
}

uint64_t bench_cycle(const struct bench *b) { return b->avr->cycle; }

/* Bytes that the host sends from now on, one character after the other. */
void bench_feed(struct bench *b, const uint8_t *bytes, uint32_t count) {
    if (b->line_head == b->line_tail) b->line_free_at = b->avr->cycle + b->character;
    while (count-- && b->line_head - b->line_tail < LINE_BYTES) b->line[b->line_head++ % LINE_BYTES] = *bytes++;
}

uint32_t bench_unsent(const struct bench *b) { return b->line_head - b->line_tail; }

uint32_t bench_take(struct bench *b, uint8_t *out, uint32_t room) {
    uint32_t count = 0;
    while (count < room && b->back_tail != b->back_head) out[count++] = b->back[b->back_tail++ % LINE_BYTES];
    return count;
}

uint64_t bench_lost(const struct bench *b) { return b->lost; }

/* The baud rate that the firmware has set. */
double bench_own_baud(const struct bench *b) { return (double)F_CPU * 10 / (double)own_character(b); }

void bench_button(struct bench *b, int is_down) { b->button = is_down; }

/* The next picture that the strip latched: returns its bytes, 0 when there is none. */
uint32_t bench_frame(struct bench *b, uint8_t *rgb, uint64_t *latched_at) {
    if (b->frame_tail == b->frame_head) return 0;
    struct frame *frame = &b->frames[b->frame_tail++ % FRAME_QUEUE];
    memcpy(rgb, frame->rgb, frame->bytes);
    *latched_at = frame->latched_at;
    return frame->bytes;
}

uint32_t bench_frames_missed(const struct bench *b) { return b->frames_missed; }

void bench_pulses(struct bench *b, struct pulses *out) {
    *out = b->pulses;
    clear_pulses(b);
}

/* Starts to record the edges of the data pin; what came since the last call is copied out. */
uint32_t bench_edges(struct bench *b, uint64_t *out) {
    uint32_t count = b->edge_count;
    if (out) memcpy(out, b->edges, count * sizeof *out);
    b->edge_count = 0;
    b->records = true;
    return count;
}

/* DTR or the reset button: the bootloader keeps the line for `boot_us`, then the sketch starts afresh. */
/* Reads what the EEPROM keeps, or writes it: cells age, and power goes in the middle of a write. */
void bench_eeprom(struct bench *b, uint8_t *bytes, uint16_t size, int is_write) {
    avr_eeprom_desc_t part = {.ee = bytes, .offset = 0, .size = size};
    avr_ioctl(b->avr, is_write ? AVR_IOCTL_EEPROM_SET : AVR_IOCTL_EEPROM_GET, &part);
}

void bench_reset(struct bench *b, uint32_t boot_us) {
    uint64_t now = b->avr->cycle;
    avr_reset(b->avr);
    b->avr->cycle = now;
    b->held = 0;
    b->flying = 0;
    b->waiting = b->overrun = false;
    b->sent_at = now;
    b->stuck_until = now + CYCLES_OF_US((uint64_t)boot_us);
}

/* Makes the firmware hang, as a bug or a spark might: the watchdog has to notice. */
void bench_hang(struct bench *b) {
    static const uint8_t jump_to_itself[] = {0xFF, 0xCF};
    uint32_t at = b->avr->flashend - 1;
    memcpy(b->avr->flash + at, jump_to_itself, sizeof jump_to_itself);
    b->avr->pc = at;
}
