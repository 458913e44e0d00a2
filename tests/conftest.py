"""A browser for the tests of pages, how often others kill, and what tests cost."""

import gc
import importlib
import os
import re
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


# As the commands have it; before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Benchmarks are no part of the wheel; what is installed comes before the source tree.
sys.path.append(str(Path(__file__).parent.parent))

# A shell has what it starts in the background ignore Ctrl-C, and so would what tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the tests of random kills take longer, and what tests cost be told."""
    parser.addoption("--kills", type=int, help="how many workers, or servers, are killed at random")
    parser.addoption(
        "--costs", type=int, default=0, help="name so many files that take most processor time"
    )


MISSING = re.compile(r"apt install ([\w.+-]+(?: [\w.+-]+)*)|bwrap is not installed")
"""Finds the missing packages in the reason that a test gives for skipping itself."""


ALL_LONG = ("tests/benchmarks/", "tests/long/")
"""The folders all of whose tests are for the environment `long`."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among what is imported and collected: all of it stays until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        # Hypothesis warns, as it is imported, of what only frozen objects refer to.
        importlib.import_module("hypothesis")
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(ALL_LONG):
            item.add_marker(pytest.mark.long(f"all of tests/{item.path.parent.name}"))


BEGAN_S = pytest.StashKey[float]()
PROCESSOR_S = "processor_s"


def processor_s() -> float:
    """Return the processor time of this process and of its children that ended."""
    return sum(os.times()[:4])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[BEGAN_S] = processor_s()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Have what a test lacks fail it where everything must run, and note what it cost."""
    report = yield
    if report.skipped and os.environ.get("CI") and MISSING.search(reason_of(report)):
        report.outcome, report.longrepr = "failed", reason_of(report)
    if report.when == "teardown" and BEGAN_S in item.stash:
        report.user_properties.append((PROCESSOR_S, processor_s() - item.stash[BEGAN_S]))
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say which files took most processor time; what a file's fixtures start counts for it."""
    costs: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "teardown":
                cost_s = dict(report.user_properties).get(PROCESSOR_S, 0.0)
                costs[report.nodeid.partition("::")[0]] += cost_s
    most = config.getoption("--costs")
    if most:
        terminalreporter.section(f"processor time: {sum(costs.values()) / 60:.1f} min")
        for name, cost_s in costs.most_common(most):
            terminalreporter.write_line(f"{cost_s:7.1f} s  {name}")


def reason_of(report: pytest.TestReport) -> str:
    return report.longrepr[2] if isinstance(report.longrepr, tuple) else ""


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say in the last line what was not tested, and how that can be had."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    skipped = [] if terminal is None else terminal.stats.get("skipped", [])
    matches = (MISSING.search(reason_of(report)) for report in skipped)
    found = [match[1] or "bubblewrap" for match in matches if match]
    if found:
        packages = " ".join(sorted({name for names in found for name in names.split()}))
        tests = "1 test was" if len(found) == 1 else f"{len(found)} tests were"
        terminal.write_line(f"{tests} skipped for lack of programs: apt install {packages}")


@pytest.fixture(scope="module")
def chrome(start_chrome: "Callable[[], Chrome]") -> "Chrome":
    """Start a browser for the tests of a file."""
    return start_chrome()


@pytest.fixture(scope="module")
def start_chrome(
    tmp_path_factory: pytest.TempPathFactory,
) -> "Iterator[Callable[[], Chrome]]":
    """Return a function that starts a browser in processes of its own, for the tests of a file."""
    # Here, since the environments of other tests do without it.
    webdriver = importlib.import_module("selenium.webdriver")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("chromium or its driver is not installed: apt install chromium chromium-driver")
    running: list[Chrome] = []

    def start() -> "Chrome":
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,1000",
            f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        running.append(webdriver.Chrome(options=options, service=webdriver.ChromeService(driver)))
        return running[-1]

    yield start
    for driven in running:
        driven.quit()


@pytest.fixture
def browser(chrome: "Chrome") -> "Chrome":
    """Return the browser as it was started: on an empty page, online, with its own size."""
    chrome.get("about:blank")
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    for log in ("browser", "performance"):
        chrome.get_log(log)
    return chrome


@pytest.fixture
def opened(browser: "Chrome", tmp_path: Path) -> Callable[[str], None]:
    """Open a page, and wait until its figures are drawn."""

    def open_page(page: str) -> None:
        path = tmp_path / "page.html"
        path.write_text(page, encoding="utf-8")
        browser.get(path.as_uri())
        deadline = time.monotonic() + 60
        while not browser.execute_script("return document.documentElement.dataset.drawn"):
            assert time.monotonic() < deadline, browser.get_log("browser")
            time.sleep(0.05)

    return open_page
