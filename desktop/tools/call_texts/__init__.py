"""A call written for elsewhere: a terminal, a Python program, a JSON-RPC message. Pure text."""
