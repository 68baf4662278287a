"""The application as it is made, before any house is opened."""

from typing import Any

from litestar.routes import HTTPRoute, WebSocketRoute

from taisai.server.app import create_app


def test_no_request_starts_tasks_for_what_its_handler_is_given() -> None:
    """Each thing is looked up by itself: several at once would be a task for each, which takes far longer."""
    models: list[Any] = []
    for route in create_app(lambda: None).routes:  # type: ignore[arg-type, return-value] # never opened
        if isinstance(route, HTTPRoute):
            models += [model for _, model in route.route_handler_map.values()]
        elif isinstance(route, WebSocketRoute):
            models.append(route.handler_parameter_model)
    given = [batch for model in models for batch in model.dependency_batches]
    assert {len(batch) for batch in given} == {1}
