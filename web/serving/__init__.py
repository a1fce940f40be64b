"""What answers requests: routes and their rights, security, files, events, the server."""
