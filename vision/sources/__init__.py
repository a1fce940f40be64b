"""The sources of frames: cameras, network streams, recordings, browsers and the simulated table."""
