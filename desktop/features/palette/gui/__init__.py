"""The panel of the palette over the pages, and what it offers in this window."""
