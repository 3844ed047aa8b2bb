"""Apps of servers beside their results: the card that opens them and says what they ask for."""
