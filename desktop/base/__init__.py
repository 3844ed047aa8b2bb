"""Foundations of one file each: they import libraries and each other, nothing above."""
