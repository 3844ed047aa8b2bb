"""What models are sent of tools and messages, in each provider's format, and what that costs.

Needed by people who write servers, and by the conversations. Those who only run servers and call
tools by hand can do without it.
"""
