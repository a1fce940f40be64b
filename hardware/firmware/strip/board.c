#include "board.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/crc16.h>

#include "core.h"

#if F_CPU != 16000000UL
#error "the pulses for the LEDs are counted in cycles of 16 MHz"
#endif

#define DATA_BIT 6   /* PD6: pin D6 of an Uno or Nano */
#define BUTTON_BIT 2 /* PD2: pin D2, to ground when pressed */
#define TICKS_PER_MS 250 /* timer 1 counts 16 MHz / 64: 4 us each */
#define LATCH_TICKS 75   /* 300 us: newer WS2812B latch after 280 us of low, older ones after 50 */

/* An 8-bit index wraps by itself, so the ring needs no masks. */
static volatile uint8_t received[256];
static volatile uint8_t received_head;
static uint8_t received_tail;
static volatile uint16_t lost_bytes;
static uint8_t sending[64];
static uint8_t sending_head, sending_tail;
static uint16_t shown_at;
static uint16_t counted_at;
static uint32_t now_ms;

/* -- serial port ------------------------------------------------------------------------------- */

/* Runs as interrupt, and in the gaps between LED bytes while interrupts are off. */
static inline __attribute__((always_inline)) void take_byte(void) {
    if (UCSR0A & _BV(DOR0)) lost_bytes++;
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)(received_head + 1);
    if (next == received_tail) {
        lost_bytes++;
        return;
    }
    received[received_head] = byte;
    received_head = next;
}

ISR(USART_RX_vect) { take_byte(); }

void board_send(const uint8_t *bytes, uint8_t count) {
    uint8_t room = (uint8_t)((sending_tail - sending_head - 1) & (sizeof sending - 1));
    if (count > room) return; /* the host asks again; half an answer would help nobody */
    while (count--) {
        sending[sending_head] = *bytes++;
        sending_head = (sending_head + 1) & (sizeof sending - 1);
    }
}

static void send_waiting(void) {
    if (sending_tail == sending_head || !(UCSR0A & _BV(UDRE0))) return;
    UDR0 = sending[sending_tail];
    sending_tail = (sending_tail + 1) & (sizeof sending - 1);
}

uint16_t board_lost_bytes(void) {
    uint8_t flags = SREG;
    cli();
    uint16_t count = lost_bytes;
    SREG = flags;
    return count;
}

/* -- LEDs -------------------------------------------------------------------------------------- */

/* Eight bits of 20 cycles (1.25 us): high for 5 cycles (312 ns) is a zero, for 14 (875 ns) a one. */
static inline __attribute__((always_inline)) void write_byte(uint8_t byte, uint8_t high, uint8_t low) {
    uint8_t bits = 8;
    __asm__ volatile("1: out %[port], %[high] \n\t" /* the pin rises */
                     "nop \n\t"
                     "nop \n\t"
                     "nop \n\t"
                     "sbrs %[byte], 7 \n\t"
                     "out %[port], %[low] \n\t" /* 5 cycles: a zero falls */
                     "lsl %[byte] \n\t"
                     "nop \n\t"
                     "nop \n\t"
                     "nop \n\t"
                     "nop \n\t"
                     "nop \n\t"
                     "nop \n\t"
                     "nop \n\t"
                     "out %[port], %[low] \n\t" /* 14 cycles: a one falls */
                     "nop \n\t"
                     "nop \n\t"
                     "dec %[bits] \n\t"
                     "brne 1b \n\t"
                     : [byte] "+r"(byte), [bits] "+r"(bits)
                     : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low));
}

/* The low between two bytes may last 50 us before older LEDs take it for the end: there is time to look
 * for a received byte, and with it the two bytes that the receiver can hold are never overrun. */
static inline __attribute__((always_inline)) void drain(void) {
    if (UCSR0A & _BV(RXC0)) take_byte();
}

void board_show(const uint8_t *rgb, uint16_t pixel_count) {
    while ((uint16_t)(TCNT1 - shown_at) < LATCH_TICKS) {
    }
    cli();
    uint8_t high = PORTD | _BV(DATA_BIT), low = PORTD & (uint8_t)~_BV(DATA_BIT);
    while (pixel_count--) {
        write_byte(rgb[1], high, low); /* WS2812 take green first */
        drain();
        write_byte(rgb[0], high, low);
        drain();
        write_byte(rgb[2], high, low);
        drain();
        rgb += 3;
    }
    sei();
    shown_at = TCNT1;
}

/* -- settings ---------------------------------------------------------------------------------- */

struct stored {
    struct strip_settings settings;
    uint16_t check;
};

static struct stored EEMEM stored_at;

static uint16_t check_of(const struct strip_settings *settings) {
    const uint8_t *bytes = (const uint8_t *)settings;
    uint16_t check = 0xFFFF; /* neither an erased nor a zeroed EEPROM comes out right */
    for (uint8_t i = 0; i < sizeof *settings; i++) check = _crc_ccitt_update(check, bytes[i]);
    return check;
}

void board_load(struct strip_settings *settings) {
    struct stored stored;
    eeprom_read_block(&stored, &stored_at, sizeof stored);
    if (stored.check == check_of(&stored.settings)) *settings = stored.settings;
}

void board_save(const struct strip_settings *settings) {
    struct stored stored = {*settings, check_of(settings)};
    eeprom_update_block(&stored, &stored_at, sizeof stored);
}

/* -- start and main loop ----------------------------------------------------------------------- */

static void count_time(void) {
    /* Polled, not an interrupt: interrupts are off while the LEDs are written, the counter runs on.
     * It wraps after 262 ms, far longer than any picture takes. */
    while ((uint16_t)(TCNT1 - counted_at) >= TICKS_PER_MS) {
        counted_at += TICKS_PER_MS;
        now_ms++;
    }
}

void board_begin(void) {
    wdt_enable(WDTO_500MS);
    DDRD |= _BV(DATA_BIT);
    PORTD |= _BV(BUTTON_BIT);
    TCCR1A = 0;
    TCCR1B = _BV(CS11) | _BV(CS10);
    UBRR0 = (F_CPU + 4 * BAUD_RATE) / (8 * BAUD_RATE) - 1;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
    sei();
    core_start();
}

void board_step(void) {
    wdt_reset();
    while (received_tail != received_head) {
        core_receive(received[received_tail]);
        received_tail++;
        send_waiting();
        wdt_reset();
    }
    count_time();
    core_tick(now_ms, !(PIND & _BV(BUTTON_BIT)));
    send_waiting();
}
