"""Evals: questions for a model beside the saved calls of a file, and how often it does well.

Needed by people who write servers: whether a model finds the right tool and uses it well, and
whether a changed description makes that worse.
"""
