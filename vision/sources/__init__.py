"""Frame sources: cameras, network streams, recordings, browsers and the simulated table."""
