"""The settings page: how the window looks, how long calls may take, where the files are."""
