"""Requests to a Triptych service, with the standard library only."""

from __future__ import annotations

import functools
import http.client
import itertools
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple

if TYPE_CHECKING:
    from . import Triptych

RETRIED_STATUSES = frozenset({429, 502, 503, 504})
FIRST_BACKOFF_S = 0.25


class TriptychError(Exception):
    """The service rejected a request.

    status: the HTTP status; code: such as `account_not_found`; problem: the whole body (RFC 9457) or None;
    request_id: for the operator's log; retry_after: seconds after which to try again, or None.
    """

    def __init__(self, status: int, reason: str, headers: Mapping[str, str], problem: dict[str, Any] | None):
        response = f"{status} {reason}".strip() + (", but not with JSON" if status < 300 else "")
        super().__init__((problem or {}).get("detail") or f"the server responded with {response}")
        self.status = status
        self.code: str = (problem or {}).get("code", "unexpected_response")
        self.problem = problem
        self.request_id = headers.get("x-request-id")
        self.retry_after = _parse_retry_after(headers.get("retry-after"))


class Response(NamedTuple):
    body: Any
    headers: Mapping[str, str]


class Group:
    """The operations of one platform."""

    def __init__(self, client: Triptych):
        self._client = client


class Items:
    """The items of all pages of a list. Iterating it sends the requests."""

    def __init__(
        self,
        client: Triptych,
        name: str,
        method: str,
        parameters: dict[str, Any],
        items: str,
        next_page: dict[str, str],
        more: str | None,
        increment: bool = False,
    ):
        self._client = client
        self._request = (name, method)
        self._parameters = _select_paging(parameters, [*next_page.values(), *([] if more is None else [more])])
        self._items = items
        self._next = next_page
        self._more = more
        self._increment = increment

    def pages(self) -> Iterator[dict[str, Any]]:
        """All pages from the requested one on."""
        parameters: dict[str, Any] | None = self._parameters
        while parameters is not None:
            body = self._client.request(*self._request, parameters)
            yield body
            parameters = self._next_parameters(body)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for page in self.pages():
            try:
                items = _value_at(page, self._items)
            except KeyError:
                raise ValueError(f"fields leaves out {self._items}, the list of the items") from None
            yield from items

    def to_dataframe(self, limit: int | None = None) -> Any:
        """All items as a pandas DataFrame, nested objects as columns such as `author.uniqueId`."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_dataframe() needs pandas: pip install pandas") from None
        return pandas.json_normalize(self._take(limit))

    def _take(self, limit: int | None) -> list[dict[str, Any]]:
        return list(itertools.islice(self, limit))

    def _next_parameters(self, body: dict[str, Any]) -> dict[str, Any] | None:
        values = {name: _value_at(body, path) for name, path in self._next.items()}
        if self._more is None:
            has_more = all(value not in (None, "") for value in values.values())
        else:
            has_more = _value_at(body, self._more) in (True, 1)
        if self._increment:
            values = {name: page + 1 for name, page in values.items()}
        return {**self._parameters, **values} if has_more else None


def send(
    client: Triptych, name: str, method: str, parameters: Mapping[str, Any], headers: Mapping[str, str]
) -> Response:
    """One request, retried after failures that pass."""
    for retry in range(client.retries + 1):
        is_last = retry == client.retries
        try:
            return _attempt(client, name, method, parameters, headers)
        except TriptychError as error:
            wait_s = _backoff_s(retry) if error.retry_after is None else error.retry_after
            if is_last or error.status not in RETRIED_STATUSES or wait_s > client.max_wait_s:
                raise
        except (OSError, http.client.HTTPException):
            # A failed, refused or cut connection; URLError is an OSError.
            if is_last:
                raise
            wait_s = _backoff_s(retry)
        time.sleep(wait_s)
    raise AssertionError("unreachable")


def _attempt(
    client: Triptych, name: str, method: str, parameters: Mapping[str, Any], headers: Mapping[str, str]
) -> Response:
    encoded = urllib.parse.urlencode({key: _text(value) for key, value in parameters.items() if value is not None})
    url = f"{client.url}/api/{name}"
    data = None
    if method == "GET":
        url += f"?{encoded}" if encoded else ""
    else:
        data = encoded.encode()
    request = urllib.request.Request(
        url,
        data=data,
        method=method,
        headers={"Accept": "application/json", **headers},
    )
    # A redirect would hand any other header to whichever host it names: see _Redirects.
    request.add_unredirected_header("Authorization", f"Bearer {client.token}")
    try:
        with _opener().open(request, timeout=client.timeout_s) as response:
            return Response(_read_body(response), response.headers)
    except urllib.error.HTTPError as error:
        with error:
            raise TriptychError(error.code, error.reason, error.headers, _read_problem(error)) from None


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Keeps the token within the same origin."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        redirected = super().redirect_request(req, fp, code, msg, headers, newurl)
        token = req.unredirected_hdrs.get("Authorization")
        if redirected is not None and token is not None and _origin(newurl) == _origin(req.full_url):
            redirected.add_unredirected_header("Authorization", token)
        return redirected


@functools.cache
def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_Redirects)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_body(response: http.client.HTTPResponse) -> Any:
    try:
        return json.loads(response.read())
    except ValueError:
        raise TriptychError(response.status, response.reason, response.headers, None) from None


def _read_problem(error: urllib.error.HTTPError) -> dict[str, Any] | None:
    try:
        body = json.load(error)
    except ValueError:
        return None
    return body if isinstance(body, dict) and "code" in body else None


def _backoff_s(retry: int) -> float:
    """Full jitter: clients that failed together do not come back together."""
    return random.random() * FIRST_BACKOFF_S * 2**retry


def _parse_retry_after(header: str | None) -> float | None:
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


def _select_paging(parameters: dict[str, Any], paths: list[str]) -> dict[str, Any]:
    """A selection also keeps what requests the next page, in the notation of `fields`. An empty one selects all."""
    if not parameters.get("fields"):
        return parameters
    added = [path.replace(".", "(") + ")" * path.count(".") for path in paths]
    return {**parameters, "fields": ",".join([parameters["fields"], *added])}


def _value_at(body: Any, path: str) -> Any:
    for name in path.split("."):
        body = body[name]
    return body
