"""A client for Triptych with the standard library only.

    from triptych_client import Triptych

    triptych = Triptych("http://127.0.0.1:8080", token)
    profile = triptych.photoshare.get_profile(username_or_url="luna.marchetti")
    posts = triptych.shortvideo.iter_music_posts(musicId="7100000000000000001").to_dataframe()

Operations across platforms are methods of the client itself: `triptych.search(q="street food")`.
"""

from __future__ import annotations

from typing import Any, Mapping

from .http import Items, Response, TriptychError, send
from .operations import CrossPlatform, Longvideo, Photoshare, Shortvideo

__all__ = ["Items", "Response", "Triptych", "TriptychError"]


class Triptych(CrossPlatform):
    def __init__(
        self,
        url: str,
        token: str,
        *,
        retries: int = 3,
        max_wait_s: float = 30,
        timeout_s: float = 30,
        headers: Mapping[str, str] | None = None,
    ):
        """
        retries: after a network failure, 429, 502, 503 or 504; max_wait_s: a longer Retry-After is an error;
        headers: sent with every request, such as {"Prefer": "unknown=null"}.
        """
        super().__init__(self)
        self.url = url.rstrip("/")
        self.token = token
        self.retries = retries
        self.max_wait_s = max_wait_s
        self.timeout_s = timeout_s
        self.headers = dict(headers or {})
        self.shortvideo = Shortvideo(self)
        self.longvideo = Longvideo(self)
        self.photoshare = Photoshare(self)

    def request(self, name: str, method: str, parameters: Mapping[str, Any]) -> Any:
        """Sends a request by the operation's name, such as `shortvideo/post/detail`, and returns the body."""
        return self.request_with_headers(name, method, parameters).body

    def request_with_headers(self, name: str, method: str, parameters: Mapping[str, Any]) -> Response:
        """The same with the response headers, such as RateLimit and Last-Modified."""
        return send(self, name, method, parameters, self.headers)
