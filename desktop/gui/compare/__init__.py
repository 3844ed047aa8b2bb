"""What of the tools changed between two servers, or recordings of them."""
