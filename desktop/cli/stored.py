"""The config of a command that starts no server: read, or the reason why it cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.paths import find_paths

if TYPE_CHECKING:
    from desktop.cli.options import Options
    from desktop.config.store import ConfigStore


def open_store(options: Options) -> ConfigStore:
    """The store of `options`; raises `ConfigError` for a file that cannot be understood."""
    from desktop.bootstrap import builtin_configs
    from desktop.config.store import ConfigStore

    paths = find_paths(options.config, options.data_dir)
    store = ConfigStore(paths.config, builtins=builtin_configs())
    store.load()
    if store.error is not None:
        raise store.error
    return store
