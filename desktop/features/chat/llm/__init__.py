"""Models and their providers: what is asked of them, and what they answer."""
