"""Import and export in the window: the preview before anything is taken over, and the way out."""
