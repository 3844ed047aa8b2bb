"""Every process that was started, and the promise that none is left behind."""
