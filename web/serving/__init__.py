"""The server: routes and their rights, security, files, events, TLS."""
