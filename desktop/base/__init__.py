"""Foundations of one file each: they import the standard library and each other, nothing above."""
