"""Problems: one shape for every error, its sentence for people, and the Problems view."""
