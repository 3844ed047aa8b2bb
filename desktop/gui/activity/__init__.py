"""The Activity page: calls, the messages behind them, and the app's own log."""
