"""A headless Chromium driven over its debugging pipe: messages of JSON, one zero byte after each.

Only the standard library is needed. The pipe is the browser's file descriptors 3 (in) and 4 (out).
"""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--remote-debugging-pipe",
)


def find() -> str | None:
    """The browser's command: ``THEORYCHECK_BROWSER`` or the first that is installed."""
    named = os.environ.get("THEORYCHECK_BROWSER")
    return named or next((found for n in NAMES if (found := shutil.which(n))), None)


class Page:
    """One page: navigation, JavaScript, screenshots, and what was written to the console."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._buffer = b""
        self._ids = itertools.count(1)
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """A command and its answer; events that come before are kept."""
        number = next(self._ids)
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])
            self.events.append(answer)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = os.read(self._back, 1 << 20)
            if not piece:
                raise RuntimeError("the browser closed its pipe")
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        return dict(json.loads(message))

    def size(self, width: int, height: int, *, phone: bool = False, dark: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, address: str) -> None:
        """Loads a page and waits until it is whole and painted."""
        before = len(self.events)
        self.call("Page.navigate", url=address)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events[before:]):
            self.events.append(self._read())
        self.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def run(self, code: str) -> Any:
        """The value of a JavaScript expression (of what it promises)."""
        answer = self.call(
            "Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{code}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def screenshot(self, file: Path) -> None:
        data = self.call("Page.captureScreenshot", format="png")["data"]
        file.write_bytes(base64.b64decode(data))

    def complaints(self) -> list[str]:
        """Console errors and warnings, uncaught exceptions, and requests to anything but the file."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(f"exception: {params['exceptionDetails'].get('text')}")
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                found.append(f"console {params['type']}: {params['args']}")
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(f"log: {params['entry']['text']}")
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append(f"network: {url}")
        return found


@contextmanager
def page() -> Iterator[Page]:
    """A page of a fresh browser, which is closed at the end. Raises FileNotFoundError without one."""
    command = find()
    if command is None:
        raise FileNotFoundError("no Chromium or Chrome is installed")
    to_read, to_write = os.pipe()
    back_read, back_write = os.pipe()
    # The browser's own children may still write into its profile while it is taken away.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (to_read, back_write)]
        os.close(to_read)
        os.close(back_write)

        def where_the_browser_looks() -> None:
            for end, descriptor in zip(ends, (3, 4), strict=True):
                os.dup2(end, descriptor)

        process = subprocess.Popen(
            [command, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(3, 4),
            preexec_fn=where_the_browser_looks,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in ends:
            os.close(end)
        try:
            yield Page(to_write, back_read)
        finally:
            os.close(to_write)
            os.close(back_read)
            process.terminate()
            process.wait(timeout=20)
