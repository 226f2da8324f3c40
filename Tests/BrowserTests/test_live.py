"""Live: calls appear, their score changes, they end, while the page looks on."""

import json
import time

from collector import Collector, make_token
from pages import shown, until

CALL = "live call"


def report(start, index, lost):
    at = start + index * 5_000
    stream = {
        "id": "IT1", "type": "inbound-rtp", "kind": "audio", "ssrc": 7, "timestamp": at, "jitter": 0.004,
        "packetsReceived": index * 250, "packetsLost": lost, "bytesReceived": index * 20_000, "mimeType": "audio/opus",
        "totalSamplesReceived": index * 240_000, "concealedSamples": lost * 960,
    }  # fmt: skip
    return json.dumps({"time": at, "statistics": [stream]})


def test_the_live_page_follows_a_call(collector, open_page, shots):
    page = shown(open_page(collector, "/live"))
    until(page, "document.body.innerText.includes('connected')")
    assert page.locator("tr[data-call]").count() == 0
    # Before now, so that all of it lies in the past of the server's clock.
    start = int(time.time() * 1000) - 60_000
    path = "/v1/calls/live%20call/stats?observer=me"
    for index in range(4):
        collector.post(path, report(start, index, 0))
    page.locator("tr[data-call]", has_text=CALL).wait_for()
    page.get_by_text("excellent").first.wait_for(state="attached")
    events = page.get_by_role("list", name="Latest events").locator("li")
    before = events.count()
    for index in range(4, 8):
        collector.post(path, report(start, index, (index - 3) * 60))
    until(page, f"document.querySelectorAll('.tail li').length > {before}")
    until(page, "document.querySelector('tr[data-call] .score').textContent.includes('bad')")
    page.screenshot(path=shots / "live-tail.png")
    end = {"callId": CALL, "time": str(start + 40_000), "action": "callState", "type": "ENDED"}
    collector.post("/v1/events?observer=me", json.dumps(end))
    until(page, "document.querySelectorAll('tr[data-call]').length === 0")
    assert "call ended" in events.first.inner_text()


def test_both_ends_of_a_call_are_one_that_goes_on(collector, open_page):
    start = int(time.time() * 1000) - 60_000
    for index, (call, observer) in enumerate([("a", "caller"), ("a", "callee"), ("b", "caller")]):
        collector.post(f"/v1/calls/{call}/stats?observer={observer}", report(start, index, 0))
    page = shown(open_page(collector, "/live"))
    until(page, "document.querySelectorAll('tr[data-call]').length === 3")
    assert page.locator("main p b").inner_text() == "2"
    assert "2 calls going on" in page.locator("[role=status]").first.inner_text()


def test_a_broken_connection_is_taken_up_again(collector, open_page):
    page = shown(open_page(collector, "/live", expects_errors=True))
    until(page, "document.body.innerText.includes('connected')")
    page.context.set_offline(True)
    page.evaluate("0")
    page.context.set_offline(False)
    start = int(time.time() * 1000) - 60_000
    for index in range(3):
        collector.post("/v1/calls/live%20call/stats?observer=me", report(start, index, 0))
    page.locator("tr[data-call]", has_text=CALL).wait_for()


def test_a_connection_without_a_sign_of_life_is_given_up(collector, open_page):
    page = open_page(collector, "/health")
    asked = []
    # Nobody answers, and nobody hangs up.
    page.route("**/v1/live", lambda route: asked.append(route))
    page.clock.install()
    page.goto(collector.address + "/live")
    shown(page)
    until(page, "document.body.innerText.includes('connecting')")
    page.clock.fast_forward(44_000)
    assert "connecting again" not in page.locator("main").inner_text()
    page.clock.fast_forward(2_000)
    until(page, "document.body.innerText.includes('broken off, connecting again')")
    page.clock.fast_forward(3_000)
    for _ in range(100):
        if len(asked) == 2:
            break
        page.wait_for_timeout(50)
    assert len(asked) == 2


def test_the_last_minute_ends_now_and_focus_stays_where_it_was(collector, open_page):
    page = open_page(collector, "/health")
    page.clock.install()
    page.goto(collector.address + "/live")
    shown(page)
    until(page, "document.body.innerText.includes('connected')")
    start = int(time.time() * 1000) - 180_000
    path = "/v1/calls/live%20call/stats?observer=me"
    for index in range(8):
        collector.post(path, report(start, index, index * 60))
    page.locator("tr[data-call] .score.bad").wait_for()
    page.locator("tr[data-call] a").focus()
    page.clock.fast_forward(10_000)
    for index in range(8, 24):
        collector.post(path, report(start, index, 420))
    row = f"[...document.querySelectorAll('tr[data-call]')].find(one => one.textContent.includes('{CALL}'))"
    figures = f"{row}.querySelector('svg').getAttribute('aria-label').match(/\\d+/g).map(Number)"
    until(page, f"{figures}[1] >= 60")
    assert page.evaluate(figures)[0] < 60
    assert page.evaluate("document.activeElement.textContent") == CALL
    # Nothing is told of it, and what was bad is longer ago.
    page.clock.fast_forward(31_000)
    collector.post("/v1/calls/other/stats?observer=me", report(start, 0, 0))
    page.locator("tr[data-call]", has_text="other").wait_for()
    assert page.evaluate(figures)[0] < 60
    page.clock.fast_forward(31_000)
    until(page, f"{figures}[0] >= 60")


def test_the_page_of_a_call_that_ended_while_it_did_not_look_shows_so(collector, open_page):
    start = int(time.time() * 1000) - 60_000
    for index in range(4):
        collector.post("/v1/calls/live%20call/stats?observer=me", report(start, index, 0))
    page = open_page(collector, "/health")
    over = {"callId": CALL, "observer": "me", "attempt": 1, "state": "ended"}
    read = []
    page.on("request", lambda request: "/series" in request.url and read.append(request.url))
    for news in ("event: reset\ndata: {}\n\n", f"event: snapshot\ndata: {json.dumps({'calls': [over]})}\n\n"):
        # The page before still follows the call: it must not take what is said to this one.
        page.goto(collector.address + "/health")
        read.clear()
        body = {"content_type": "text/event-stream", "body": "id: 1\n" + news}
        page.route("**/v1/calls/*/live", lambda route: route.fulfill(**body), times=1)
        page.goto(collector.address + "/call?id=live%20call")
        for _ in range(100):
            if len(read) == 2:
                break
            page.wait_for_timeout(50)
        assert len(read) == 2, news


def test_the_page_of_a_call_that_goes_on_shows_what_is_new(collector, open_page):
    start = int(time.time() * 1000) - 60_000
    path = "/v1/calls/live%20call/stats?observer=me"
    for index in range(4):
        collector.post(path, report(start, index, 0))
    page = shown(open_page(collector, "/call?id=live%20call"))
    page.get_by_text("Going on; new figures are shown as they come.").wait_for()
    assert "excellent" in page.locator(".verdict .big").inner_text()
    for index in range(4, 8):
        collector.post(path, report(start, index, (index - 3) * 60))
    until(page, "!document.querySelector('.verdict .big').textContent.includes('excellent')")


def test_a_server_with_tokens_is_asked_with_one_that_stays_in_the_tab(program, tmp_path, open_page):
    token, arguments = make_token(program, tmp_path, "ingest,read")
    with Collector(program, tmp_path, *arguments) as collector:
        authorization = {"Authorization": f"Bearer {token}"}
        for index in range(4):
            collector.post("/v1/calls/c/stats?observer=me", report(1_778_000_000_000, index, 0), authorization)
        page = open_page(collector, "/calls", expects_errors=True)
        dialog = page.get_by_role("dialog")
        assert "This server shows calls to those with a token; who runs it hands them out." in dialog.inner_text()
        page.locator("#token").fill("two words")
        page.get_by_role("button", name="Use it").click()
        assert page.evaluate("document.querySelector('#token').validity.patternMismatch")
        for attempt in ("wrong", f" {token} "):
            page.locator("#token").fill(attempt)
            page.get_by_role("button", name="Use it").click()
            if attempt == "wrong":
                refusal = "The token was refused: the token is not known here; it may have been replaced."
                assert dialog.get_by_role("alert").filter(has_text=refusal).inner_text() == refusal
        page.locator("#token").wait_for(state="detached")
        shown(page)
        assert page.locator("tr[data-call]").count() == 1
        assert token not in page.url and page.evaluate("localStorage.length + document.cookie.length") <= 1
        page.goto(collector.address + "/live")
        shown(page)
        until(page, "document.body.innerText.includes('connected')")
        page.goto(collector.address + "/health")
        shown(page)
        assert "admin" in page.locator(".failure").inner_text()


def test_a_token_for_other_things_is_not_kept_for_ever(program, tmp_path, open_page):
    useless, _ = make_token(program, tmp_path, "ingest")
    token, arguments = make_token(program, tmp_path, "read")
    with Collector(program, tmp_path, *arguments) as collector:
        page = open_page(collector, "/calls", expects_errors=True)
        page.locator("#token").fill(useless)
        page.get_by_role("button", name="Use it").click()
        page.get_by_role("button", name="Use another token").click()
        page.locator("#token").fill(token)
        page.get_by_role("button", name="Use it").click()
        page.get_by_text("No calls.").wait_for()
