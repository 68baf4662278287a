"""Errors as RFC 9457 problem details: one shape on every path, with the refusal's code, clause and words."""

import logging
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException

from taisai.errors import InputError, StoreConflict, StoreError, UnknownName
from taisai.floor.desks.endings import OperatorNeeded
from taisai.floor.desks.incidents import OurFault
from taisai.game.refusals import Refusal, RefusalCode
from taisai.record.ports import AnswerArchived, CommandAltered, InArchive, RecordCorrupt
from taisai.server import wire
from taisai.server.ops.metrics import METRICS
from taisai.server.words.say import Voice, sentences, server_refusal

log = logging.getLogger("taisai.http")

# Nothing from elsewhere, nothing inline, no frame around us.
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=()",
}

_FORBIDDEN: Final = frozenset({RefusalCode.ROLE_NOT_ALLOWED, RefusalCode.SECOND_PERSON_NOT_ALLOWED})
_UNAUTHORISED: Final = frozenset(
    {RefusalCode.LOGIN_FAILED, RefusalCode.LOGIN_LOCKED, RefusalCode.SESSION_ENDED}
)
_NOT_FOUND: Final = frozenset(
    {
        RefusalCode.TICKET_UNKNOWN,
        RefusalCode.ROUND_UNKNOWN,
        RefusalCode.TERMINAL_UNKNOWN,
        RefusalCode.APPROVAL_UNKNOWN,
        RefusalCode.STAFF_UNKNOWN,
        RefusalCode.PLAYER_NOT_REGISTERED,
    }
)


class ProblemView(msgspec.Struct, frozen=True, kw_only=True):
    """A refusal or an error, for machines and for people."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    clause: str
    facts: dict[str, Any]
    sentences: wire.Sentences


class Problem(Exception):
    """An answer that is no success."""

    def __init__(self, view: ProblemView, headers: dict[str, str] | None = None) -> None:
        self.view = view
        self.headers = headers or {}
        super().__init__(view.detail)


def refusal_status(code: RefusalCode) -> int:
    """The HTTP status that says most about a refusal."""
    if code in _FORBIDDEN:
        return 403
    if code in _UNAUTHORISED:
        return 401
    return 404 if code in _NOT_FOUND else 409


def refusal_problem(refusal: Refusal, voice: Voice) -> Problem:
    """A desk's refusal."""
    said = sentences(refusal, voice)
    METRICS.refused(refusal.code)
    return Problem(
        _view(refusal_status(refusal.code), str(refusal.code), refusal.clause, refusal.facts, said)
    )


def server_problem(status: int, code: str, **facts: Any) -> Problem:
    """Something that the server itself refuses."""
    _, clause, _, said = server_refusal(code, **facts)
    headers = {"Retry-After": str(facts["seconds"])} if "seconds" in facts else {}
    return Problem(_view(status, code, clause, facts, said), headers)


def _view(status: int, code: str, clause: str, facts: dict[str, Any], said: wire.Sentences) -> ProblemView:
    return ProblemView(
        type=f"/docs#problem-{code}",
        title=code.replace("_", " ").capitalize(),
        status=status,
        detail=" ".join(said["en"]),
        code=code,
        clause=clause,
        facts=facts,
        sentences=said,
    )


def error_problem(error: Exception, about: str) -> Problem:
    """Any error as a problem; what we did not foresee is logged with what was asked, and not told."""
    match error:
        case Problem():
            return error
        case AnswerArchived():
            return server_problem(409, "answer_archived")
        case CommandAltered():
            return server_problem(422, "command_altered")
        case OurFault():
            return server_problem(500, "our_fault", incident=error.incident)
        case OperatorNeeded() | RecordCorrupt():
            METRICS.failed(error)
            return server_problem(500, "operator_needed")
        case StoreError():
            METRICS.failed(error)
            conflict = isinstance(error, StoreConflict)
            return server_problem(409 if conflict else 503, "store_unavailable", seconds=1)
        case UnknownName():
            return server_problem(404, "not_found", message=str(error))
        case InArchive():
            return server_problem(410, "in_archive")
        case InputError():
            return server_problem(400, "input_invalid", message=str(error))
        case RecursionError():  # the one way to it is a body: nothing of ours goes that deep
            return server_problem(400, "input_invalid", message="the body is nested too deeply")
        case HTTPException():
            return _http_problem(error, about)
        case _:
            METRICS.failed(error)
            log.error("%s met %s: %s", about, type(error).__name__, error, exc_info=error)
            return server_problem(500, "internal")


def _http_problem(error: HTTPException, about: str) -> Problem:
    status = error.status_code
    if status >= 500:
        log.error("%s failed with %d: %s", about, status, error.detail, exc_info=error)
        return server_problem(status, "internal")
    if status == 404:
        return server_problem(404, "not_found", message="nothing is at this address")
    if status == 429:
        return server_problem(429, "too_many", seconds=60)
    what = error.detail
    extra = getattr(error, "extra", None)
    if isinstance(extra, list):
        what = "; ".join(
            f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if isinstance(item, dict)
        )
    problem = server_problem(status, "input_invalid", message=what or error.detail)
    problem.headers = dict(error.headers or {})
    return problem


def problem_response(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """What is sent for any error."""
    problem = error_problem(error, f"{request.method} {request.url.path}")
    return Response(
        msgspec.json.encode(problem.view),
        status_code=problem.view.status,
        media_type="application/problem+json",
        headers={**SECURITY_HEADERS, **problem.headers},
    )
