"""The site: settings, addresses and the entry points of the servers."""

__version__ = "0.2.0"
