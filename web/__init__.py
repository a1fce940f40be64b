"""The tablet page: picture, figures, two taps, answer; its JSON API and event stream."""
