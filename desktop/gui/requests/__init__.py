"""What servers ask of the person: the panel over the pages, one view a kind of request."""
