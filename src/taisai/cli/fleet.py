"""`[server] gateways = N`: one process for the desks and N for those who use them, on one machine."""

import logging
import multiprocessing
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from taisai.cli.output import Exit, err
from taisai.errors import TaisaiError

if TYPE_CHECKING:
    from taisai.server.config import Config

log = logging.getLogger("taisai.fleet")

_STOP_SECONDS: Final = 30.0
_LOOK_SECONDS: Final = 0.2
# A process that ends by itself is started again; one that ends at once every time is not worth it.
_STARTS_MAX: Final = 20

_replace = msgspec.structs.replace


def start_fleet(config: "Config") -> None:
    """Run a house in several processes until told to stop. Whichever of them dies is started again."""
    from taisai.adapters.bus.own_server import own_bus
    from taisai.server.ops.logs import set_up_logs
    from taisai.server.running import listen

    set_up_logs(config.server.log_level)
    with ExitStack() as stack:
        opened = stack.enter_context(listen(config.server.host, config.server.port))
        if not config.writing.nats:
            address = stack.enter_context(own_bus())
            config = _replace(config, cluster=_replace(config.writing, nats=(address,)))
        _Fleet(config, opened).run()


class _Fleet:
    """All processes of the house, by name."""

    def __init__(self, config: "Config", opened: socket.socket) -> None:
        self._config, self._opened = config, opened
        self._context = multiprocessing.get_context("spawn")
        self._ready: Event = self._context.Event()
        self._processes: dict[str, SpawnProcess] = {}
        self._starts = 0
        self._stopping = False

    def run(self) -> None:
        """Desks first: gateways need the secrets that a first start makes."""
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            self._start("desk")
            while not self._stopping and not self._ready.wait(_LOOK_SECONDS):
                self._give_up_if_ended("desk")
            for number in range(self._config.server.gateways):
                if not self._stopping:
                    self._start(f"gateway-{number}")
            self._watch()
        finally:
            self._end_all()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True

    def _start(self, name: str) -> None:
        target: Callable[..., None] = _desk if name == "desk" else partial(_gateway, name)
        arguments: tuple[Any, ...] = (self._config, self._opened)
        if name == "desk":
            arguments = (self._config, self._opened.getsockname()[1], self._ready)
        process = self._context.Process(target=target, args=arguments, name=f"taisai-{name}")
        process.start()
        self._processes[name] = process

    def _give_up_if_ended(self, name: str) -> None:
        code = self._processes[name].exitcode
        if code is not None:
            raise SystemExit(code if code > 0 else Exit.CHECK_FAILED)

    def _watch(self) -> None:
        while not self._stopping:
            wait([process.sentinel for process in self._processes.values()], _LOOK_SECONDS)
            for name, process in list(self._processes.items()):
                if process.exitcode is None or self._stopping:
                    continue
                self._starts += 1
                if self._starts > _STARTS_MAX:
                    err().print(f"error: {name} ended {_STARTS_MAX} times; the house is closed")
                    raise SystemExit(Exit.CHECK_FAILED)
                log.error("%s ended with %s, and is started again", name, process.exitcode)
                self._start(name)

    def _end_all(self) -> None:
        """Those who serve first, so that what they brought is answered."""
        gateways = [process for name, process in self._processes.items() if name != "desk"]
        for some in (gateways, [self._processes["desk"]] if "desk" in self._processes else []):
            for process in some:
                if process.exitcode is None:
                    process.terminate()
            for process in some:
                process.join(_STOP_SECONDS)
                if process.exitcode is None:
                    process.kill()
                    process.join()


def _quietly(run: Callable[[], None]) -> None:
    """In a process of its own: what is wrong is said in one line, and Ctrl-C is for the parent to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run()
    except TaisaiError as error:
        err().print(f"error: {error}", markup=False)
        raise SystemExit(Exit.BAD_INPUT) from None


def _desk(config: "Config", port: int, ready: Event) -> None:
    from taisai.bootstrap import first_logins, note_money
    from taisai.cli.serving import people_of, say_addresses, say_ending
    from taisai.roles import open_serving
    from taisai.server.desk_app import create_desk_app
    from taisai.server.ops.logs import set_up_logs
    from taisai.server.parts import Parts
    from taisai.server.running import listen, run

    set_up_logs(config.server.log_level)

    async def welcome(parts: Parts) -> None:
        people = people_of(config)
        told = await first_logins(parts, config.staff_policy, people, must_change=not config.house.play_money)
        await note_money(parts, config)
        if not ready.is_set():
            say_addresses(config, port, told)
        ready.set()

    def serve() -> None:
        ops = listen(config.server.ops_host, config.server.ops_port or 0)
        app = create_desk_app(partial(open_serving, config), first=[welcome])
        say_ending(run(app, config, ops))

    _quietly(serve)


def _gateway(name: str, config: "Config", opened: socket.socket) -> None:
    from taisai.cli.serving import say_ending
    from taisai.roles import open_gateway
    from taisai.server.app import create_app
    from taisai.server.ops.logs import set_up_logs
    from taisai.server.running import listen_for_ops, run

    set_up_logs(config.server.log_level)
    if config.server.ops_port is not None:  # the desks have that one, each gateway one of those after it
        own = config.server.ops_port + 1 + int(name.rpartition("-")[2])
        config = _replace(config, server=_replace(config.server, ops_port=own))
    port = opened.getsockname()[1]
    app = create_app(partial(open_gateway, config, port, among=f" {name}"))
    _quietly(lambda: say_ending(run(app, config, opened, *listen_for_ops(config))))
