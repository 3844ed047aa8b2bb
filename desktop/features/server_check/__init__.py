"""A server held against the protocol and the providers: it starts, lists, and each tool is usable.

Needed by people who write servers, in CI, before they have written a single test.
"""
