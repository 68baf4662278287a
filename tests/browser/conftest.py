"""A house and a browser for the tests of this folder: one of each for all tests of a process."""

import os
from collections.abc import AsyncIterator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from frontend.chromium import ARGUMENTS, chromium
from playwright.async_api import Browser, async_playwright, expect

from taisai.client import Staff
from tests.browser.floor import Floor, Watch, cluster
from tests.browser.tables import TABLES, TICKETS
from tests.cluster.balanced import Balanced, balanced_house
from tests.server.processes import ServerProcess, server_process

HERE = Path(__file__).parent
SECONDS_MAX = 20  # a busy machine is no failure
FAILED = pytest.StashKey[bool]()
expect.set_options(timeout=1000 * SECONDS_MAX)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The browser lives in one event loop, and so do its tests; it takes a while until it is there."""
    for item in items:
        if item.path.is_relative_to(HERE) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember that a test failed until its pages are closed, so that they can be told of."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield launched
        await launched.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServerProcess | Balanced]:
    """One process; with BROWSER_CLUSTER two gateways and two desks behind a load balancer."""
    # Logins last as long as the tests, however slow the machine is.
    open_house = balanced_house if os.environ.get("BROWSER_CLUSTER") else server_process
    house = open_house(
        tmp_path_factory.mktemp("house"), *TABLES, tickets=TICKETS, staff={"idle_minutes": 1_440}
    )
    async with house as process:
        yield process


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def staff() -> AsyncIterator[dict[str, Staff]]:
    """Who is logged in at the house that all tests share."""
    people: dict[str, Staff] = {}
    yield people
    for person in people.values():
        await person.http.aclose()


@pytest_asyncio.fixture(loop_scope="session")
async def floor(
    server: ServerProcess | Balanced,
    browser: Browser,
    staff: dict[str, Staff],
    request: pytest.FixtureRequest,
) -> AsyncIterator[Floor]:
    """The house for one test; no page of it may have done what pages do not do."""
    watch = Watch(server.address)
    async with AsyncExitStack() as stack:
        floor = Floor(server, browser, stack, staff, watch)
        yield floor
        if request.node.stash.get(FAILED, False):
            print(await watch.story())
    await floor.deny_all()
    assert watch.found() == []


@pytest_asyncio.fixture(loop_scope="session")
async def own_floor(tmp_path: Path, browser: Browser, request: pytest.FixtureRequest) -> AsyncIterator[Floor]:
    """A house of the test's own, to be killed."""
    house = server_process(tmp_path, cluster("C1", "sic-bo-etg-v8/1"))
    async with house as process, visiting(process, browser) as floor:
        yield floor
        if request.node.stash.get(FAILED, False):
            print(await floor.watch.story())


@asynccontextmanager
async def visiting(process: ServerProcess, browser: Browser) -> AsyncIterator[Floor]:
    """A house that one test has for itself, watched as the shared one is."""
    people: dict[str, Staff] = {}
    watch = Watch(process.address)
    async with AsyncExitStack() as stack:
        yield Floor(process, browser, stack, people, watch)
    for person in people.values():
        await person.http.aclose()
    assert watch.found() == []
