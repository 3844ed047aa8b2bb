"""Shows one tool result: status, text, structured tree, images, other media. Used by every page."""
