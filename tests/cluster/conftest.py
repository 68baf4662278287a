"""A real PostgreSQL, as the other folders have it."""

from tests.postgres_fixtures import postgres_server as postgres_server
from tests.postgres_fixtures import postgres_url as postgres_url
