/* Frames on the wire: COBS(type seq body crc16) 0x00. Portable C, no hardware.
 *
 * COBS takes every zero byte out of a message, so that 0x00 always means "end" and a reader that lost
 * its place finds it again at the next one. The checksum is CRC-16/IBM-3740 (polynomial 0x1021, start
 * 0xFFFF), sent high byte first: over a whole undamaged message, checksum included, it comes to zero.
 */
#ifndef SIGHTLINE_FRAMING_H
#define SIGHTLINE_FRAMING_H

#include <stdbool.h>
#include <stdint.h>

/* One COBS block holds 254 bytes; keeping messages to that costs one byte of overhead, always. */
#define WIRE_MAX_MESSAGE 254
#define WIRE_HEAD 2 /* type, sequence number */
#define WIRE_TAIL 2 /* checksum */

enum wire_result { WIRE_MORE, WIRE_MESSAGE, WIRE_DAMAGED };

struct wire_reader {
    uint8_t message[WIRE_MAX_MESSAGE];
    uint8_t length;    /* bytes of message so far */
    uint8_t block;     /* bytes left in the current COBS block */
    bool zero_follows; /* the current block stands for a zero at its end */
    bool is_started;   /* something came since the last end */
    bool is_broken;    /* too long, or a block was cut short */
    uint16_t crc;
};

void wire_reset(struct wire_reader *reader);

/* Takes one byte; after WIRE_MESSAGE the message (checksum taken off) stays readable until the next call. */
enum wire_result wire_take(struct wire_reader *reader, uint8_t byte);

/* Encodes a message into `out` (at least length + 5 bytes); returns how many bytes it came to. */
uint8_t wire_encode(const uint8_t *message, uint8_t length, uint8_t *out);

#endif
