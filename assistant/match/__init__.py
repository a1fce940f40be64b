"""What changes while people play; pure: events go in, states and events come out."""
