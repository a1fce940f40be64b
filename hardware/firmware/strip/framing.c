#include "framing.h"

static uint16_t crc_add(uint16_t crc, uint8_t byte) {
    /* A byte at a time without a table: about 30 cycles on an AVR, where a bit loop takes 100. */
    crc = (uint16_t)((crc >> 8) | (crc << 8));
    crc ^= byte;
    crc ^= (uint8_t)crc >> 4;
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((crc & 0xFF) << 5);
    return crc;
}

void wire_reset(struct wire_reader *reader) {
    reader->length = 0;
    reader->block = 0;
    reader->zero_follows = false;
    reader->is_started = false;
    reader->is_broken = false;
    reader->crc = 0xFFFF;
}

static void keep(struct wire_reader *reader, uint8_t byte) {
    if (reader->length == WIRE_MAX_MESSAGE) {
        reader->is_broken = true;
        return;
    }
    reader->message[reader->length++] = byte;
    reader->crc = crc_add(reader->crc, byte);
}

static enum wire_result finish(struct wire_reader *reader) {
    bool is_whole = !reader->is_broken && reader->block == 0 && reader->crc == 0 &&
                    reader->length >= WIRE_HEAD + WIRE_TAIL;
    bool is_started = reader->is_started;
    uint8_t length = (uint8_t)(reader->length - WIRE_TAIL);
    wire_reset(reader);
    if (!is_started) return WIRE_MORE; /* a lone end byte only marks a clean start */
    if (!is_whole) return WIRE_DAMAGED;
    reader->length = length;
    return WIRE_MESSAGE;
}

enum wire_result wire_take(struct wire_reader *reader, uint8_t byte) {
    if (byte == 0) return finish(reader);
    if (!reader->is_started) {
        wire_reset(reader);
        reader->is_started = true;
    } else if (reader->block > 0) {
        reader->block--;
        keep(reader, byte);
        return WIRE_MORE;
    } else if (reader->zero_follows) {
        keep(reader, 0);
    }
    reader->block = (uint8_t)(byte - 1);
    reader->zero_follows = byte != 0xFF;
    return WIRE_MORE;
}

struct encoder {
    uint8_t *out;
    uint8_t used;
    uint8_t block_at; /* where the current block's length byte goes */
};

static void put(struct encoder *encoder, uint8_t byte) {
    if (byte != 0) {
        encoder->out[encoder->used++] = byte;
    } else {
        encoder->out[encoder->block_at] = (uint8_t)(encoder->used - encoder->block_at);
        encoder->block_at = encoder->used++;
    }
}

uint8_t wire_encode(const uint8_t *message, uint8_t length, uint8_t *out) {
    struct encoder encoder = {out, 1, 0};
    uint16_t crc = 0xFFFF;
    for (uint8_t i = 0; i < length; i++) {
        put(&encoder, message[i]);
        crc = crc_add(crc, message[i]);
    }
    put(&encoder, (uint8_t)(crc >> 8));
    put(&encoder, (uint8_t)crc);
    out[encoder.block_at] = (uint8_t)(encoder.used - encoder.block_at);
    out[encoder.used++] = 0;
    return encoder.used;
}
