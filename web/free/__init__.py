"""Tables without a grid on the page: a picture, two taps, a ruler, and hand-drawn terrain."""
