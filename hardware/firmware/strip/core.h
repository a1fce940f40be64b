/* What the strip does: answers the host, keeps the picture, reports the button. Portable C, no hardware.
 *
 * The same files run on the ATmega328P and, under sanitizers, on the PC. The board below has to offer
 * the functions at the end of this file.
 */
#ifndef SIGHTLINE_CORE_H
#define SIGHTLINE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#define PROTOCOL_VERSION 1
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0

#define MAX_PIXELS 300
#define DEFAULT_PIXELS 60
#define DEFAULT_LIMIT_MA 400 /* what a USB port gives (500 mA) less the board's own share */
#define MESSAGE_PIXELS 80    /* 240 colour bytes are what fits one message of 254 */

enum from_host { HELLO = 0x01, PIXELS = 0x02, PING = 0x03, SEEN = 0x04, CONFIGURE = 0x05, BYE = 0x06 };
enum from_strip { WELCOME = 0x81, ACK = 0x82, NAK = 0x83, PONG = 0x84, BUTTON = 0x85 };
enum refusal { DAMAGED = 1, UNKNOWN = 2, OVER_LIMIT = 3, INCOMPLETE = 4, HELLO_FIRST = 5 };

struct strip_settings {
    uint16_t pixel_count;
    uint16_t limit_ma; /* 0: no limit */
};

void core_start(void);
void core_receive(uint8_t byte);
/* Call as often as the pixels allow; does its work once a millisecond. */
void core_tick(uint32_t now_ms, bool button_contact);

/* What the board offers. */
void board_send(const uint8_t *bytes, uint8_t count);
/* Returns when the pixels (red, green, blue each) are on their way out of the pin. */
void board_show(const uint8_t *rgb, uint16_t pixel_count);
uint16_t board_lost_bytes(void);
/* Leaves the settings alone where none are kept. */
void board_load(struct strip_settings *settings);
void board_save(const struct strip_settings *settings);

#endif
