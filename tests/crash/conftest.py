"""Crashes on both stores."""

from tests.postgres_fixtures import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]
