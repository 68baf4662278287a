"""What handlers are given by the application, under the names of their parameters."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency

from taisai.server.access.logins import Doors, Person
from taisai.server.config import Config
from taisai.server.http.guard import Gate
from taisai.server.live.hub import Hub
from taisai.server.parts import Parts

AnyRequest = Request[Any, Any, Any]
TheConfig = NamedDependency[Config]
TheDoors = NamedDependency[Doors]
TheGate = NamedDependency[Gate]
TheKey = NamedDependency[str]
TheHub = NamedDependency[Hub]
TheParts = NamedDependency[Parts]
ThePerson = NamedDependency[Person]
