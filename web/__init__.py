"""The tablet page: picture, figures, two taps, answer, with its JSON API and event stream."""
