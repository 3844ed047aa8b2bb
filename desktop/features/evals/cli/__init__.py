"""What joins the command `test`."""
