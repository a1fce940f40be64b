"""The protocols of lights: one file each, bytes in and bytes out, with its ``LIGHT`` description."""
