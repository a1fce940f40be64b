"""How bytes reach a light: a file each for serial ports, for hosts on the network and for the strip in memory."""
