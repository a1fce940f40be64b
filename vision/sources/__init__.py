"""Where frames come from: cameras, network streams, recordings, browsers and the simulated table."""
