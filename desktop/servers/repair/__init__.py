"""Reads what servers send although it is not quite the protocol, and says what was odd.

Changes no meaning: what cannot be read costs that part alone.
"""
