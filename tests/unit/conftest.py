"""What the record's commands need beside a file."""

from tests.postgres_fixtures import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]
