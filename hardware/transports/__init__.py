"""The transports of bytes to a light: serial ports, network hosts, and the strip in memory."""
