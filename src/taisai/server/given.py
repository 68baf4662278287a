"""What handlers are given by the application, under the names of their parameters."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency

from taisai.server.app_parts import Parts
from taisai.server.config import Config
from taisai.server.doors import Doors, Person
from taisai.server.guarding import Gate
from taisai.server.hub import Hub

AnyRequest = Request[Any, Any, Any]
TheConfig = NamedDependency[Config]
TheDoors = NamedDependency[Doors]
TheGate = NamedDependency[Gate]
TheKey = NamedDependency[str]
TheHub = NamedDependency[Hub]
TheParts = NamedDependency[Parts]
ThePerson = NamedDependency[Person]
