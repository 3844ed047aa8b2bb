"""The secrets that a session's calls were given: known while it runs, never written.

The rule is that of the history: by schema, by name, by the form of a value.
"""

from __future__ import annotations
