"""The LED strip: protocols, transports, the link that keeps it lit, the firmware."""
