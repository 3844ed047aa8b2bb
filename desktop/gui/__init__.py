"""The window: pages, forms, dialogs. Shows the core and sends it what the person wants."""
