"""What the tests in the browser share: a running sidetone, one Chromium, pages that watch themselves."""

import os
import pathlib
import subprocess

import pytest
from playwright.sync_api import sync_playwright

from collector import Collector, post_samples

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".build" / "browser"


@pytest.fixture(scope="session")
def program():
    """The sidetone under test."""
    return pathlib.Path(os.environ["SIDETONE"])


@pytest.fixture(scope="session")
def statsreport(program):
    """Runs the statsreport beside it; returns what it printed."""

    def run(*arguments):
        return subprocess.run(
            [program.parent / "statsreport", *arguments], check=True, capture_output=True, timeout=60
        ).stdout.decode()

    return run


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/lib/chromium/chromium",
            args=["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"],
        )
        yield browser
        browser.close()


@pytest.fixture
def collector(program, tmp_path):
    """A sidetone of the test's own, empty."""
    with Collector(program, tmp_path) as collector:
        yield collector


@pytest.fixture(scope="session")
def samples(program, tmp_path_factory):
    """A sidetone that holds the calls of SampleData, as their clients posted them; tests only read it."""
    with Collector(program, tmp_path_factory.mktemp("samples")) as collector:
        post_samples(collector, ROOT / "SampleData")
        yield collector


class Watched:
    """What a page did that it must not: errors of scripts, and requests to anywhere else."""

    def __init__(self, page, address):
        self.errors = []
        self.strangers = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        page.on("request", lambda request: self._note(request.url, address))

    def _note(self, url, address):
        if not url.startswith((address, "blob:" + address, "data:")):
            self.strangers.append(url)


@pytest.fixture
def open_page(browser):
    """Opens a page of a collector: open_page(collector, "/calls"). Fails the test when the page had a script error or
    asked another server for anything."""
    contexts, watched = [], []

    def open_page(collector, path="/", expects_errors=False, **options):
        options = {"viewport": {"width": 1280, "height": 900}, "timezone_id": "Europe/Berlin", **options}
        context = browser.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        watch = Watched(page, collector.address)
        if not expects_errors:
            watched.append(watch)
        page.goto(collector.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [error for watch in watched for error in watch.errors] == []
    assert [url for watch in watched for url in watch.strangers] == []


@pytest.fixture(scope="session")
def shots():
    """Where screenshots go; they are looked at, not compared."""
    folder = FOLDER / "shots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
