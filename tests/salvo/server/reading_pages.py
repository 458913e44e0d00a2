"""Reads pages in a browser that change by themselves."""

import time
from collections.abc import Callable
from typing import Any

from selenium import webdriver

PATIENCE_S = 300


def text_of(browser: webdriver.Chrome) -> str:
    return str(browser.execute_script("return document.body?.innerText ?? ''"))


def until(browser: webdriver.Chrome, is_so: Callable[[], Any]) -> Any:  # noqa: ANN401 - what it returned
    deadline = time.monotonic() + PATIENCE_S
    while not (found := is_so()):
        assert time.monotonic() < deadline, (browser.current_url, text_of(browser))
        time.sleep(0.1)
    return found
