"""From a photo to an observation; camera sources; the simulated table."""
