"""What the app writes about itself: its log, its crashes, its start; nothing unredacted."""
