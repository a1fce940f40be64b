"""The LED strip: protocols, the serial link, the virtual strip, the firmware."""
