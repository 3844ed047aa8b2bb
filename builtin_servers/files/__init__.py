"""What the filesystem server does with files, always inside the folders it was given."""
