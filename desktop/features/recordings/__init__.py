"""What servers said before and say now: recordings served in their place, two versions compared.

Two servers, versions or recordings are compared by their tools and by results of saved calls, so
this stands on the saved calls; a recording is served as the gateway serves, so it stands on that.

Needed by people who write servers, before they release one, and those who report what one did.
"""
