"""What tests of the page do again and again."""

import time
from urllib.parse import quote

OUTAGE = "A551CA43-D015-4644-8BA4-432C7ECC572F"  # SampleData/10-outage5s

ADDRESSES = {
    "fleet": "/",
    "calls": "/calls?sort=worst",
    "call": f"/call?id={OUTAGE}&observer=callee",
    "compare": f"/compare?a={OUTAGE}",
    "live": "/live",
    "health": "/health",
}


def shown(page):
    """Waits until the page shows what its address asks for."""
    page.wait_for_selector("main[aria-busy=false]")
    return page


def call_address(call, observer=""):
    return f"/call?id={quote(call, safe='')}&observer={quote(observer, safe='')}"


def path(page):
    """The address of the page without the server."""
    return page.evaluate("location.pathname + location.search")


def until(page, expression):
    """Waits until the expression holds. Not Playwright's own, which the page's policy forbids: it makes code of text."""
    end = time.monotonic() + 10
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never: {expression}"
        page.wait_for_timeout(50)


def unchanged(state, look):
    """What `look` returns, and the state it was seen in: looks again when that is another one afterwards."""
    for _ in range(5):
        before = state()
        seen = look()
        if state() == before:
            return before, seen
    raise AssertionError("another state at each look")
