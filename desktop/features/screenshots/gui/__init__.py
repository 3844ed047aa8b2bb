"""Makes the pictures and the film, of the person's servers or of an example that ships."""
