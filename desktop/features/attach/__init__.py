"""Terminal commands that run in the open window or the daemon, over the servers it has already.

Needed by people and scripts that call many tools one by one, and apps that share these servers.
"""
