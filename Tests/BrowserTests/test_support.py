"""What the pages spare those who look for a bad call: on a phone, while the server is away, with calls of long ago."""

import json
import time
from urllib.parse import quote

import pytest

from pages import ADDRESSES, OUTAGE, call_address, path, shown, until

PHONE = {"viewport": {"width": 400, "height": 860}}
LONG_AGO = 1_778_000_000_000
FIELDS = ".filters :is(input, select):visible"


def post_call(collector, call, start, observers=("caller",)):
    """Half a minute of clean sound, as these observers tell of it."""
    stream = {"id": "I", "type": "inbound-rtp", "kind": "audio", "ssrc": 7, "packetsLost": 0}
    for observer in observers:
        for index in range(4):
            report = {"time": start + 10_000 * index, "statistics": [{**stream, "packetsReceived": 500 * index}]}
            collector.post(f"/v1/calls/{call}/stats?observer={observer}", json.dumps(report))


def test_all_calls_are_offered_where_some_are_left_out_not_where_their_order_is_another(samples, open_page):
    page = shown(open_page(samples, "/calls?sort=worst"))
    assert page.get_by_role("link", name="all calls").count() == 0
    page.get_by_role("link", name="Next page").click()
    until(page, "location.search.includes('cursor=')")
    until(page, "document.querySelectorAll('tr[data-call]').length < 50")
    assert page.get_by_role("link", name="all calls").count() == 0
    page = shown(open_page(samples, "/calls?sort=worst&band=bad"))
    page.get_by_role("link", name="all calls").click()
    until(page, "!location.search.includes('band')")
    assert path(page) == "/calls?sort=worst"


def test_a_phone_shows_calls_before_the_filters_that_are_seldom_used(samples, open_page, shots):
    page = shown(open_page(samples, "/calls?band=bad", **PHONE))
    assert page.locator(FIELDS).count() == 1
    assert page.locator("tr[data-call]").first.bounding_box()["y"] < 400
    page.screenshot(path=shots / "calls-phone.png")
    more = page.get_by_role("button", name="More filters, 1 set")
    assert more.get_attribute("aria-expanded") == "false"
    page.locator("#q").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert more.get_attribute("aria-expanded") == "true"
    assert page.locator(FIELDS).count() == 13
    page.get_by_role("combobox", name="Relay").select_option("direct")
    until(page, "location.search === '?band=bad&relay=direct'")
    shown(page)
    assert page.locator(FIELDS).count() == 13
    page.get_by_role("button", name="More filters, 2 set").click()
    assert page.locator(FIELDS).count() == 1
    page = shown(open_page(samples, "/calls?band=bad"))
    assert page.locator(FIELDS).count() == 13
    assert page.get_by_role("button", name="More filters").count() == 0


def test_a_field_keeps_the_focus_when_the_list_it_asked_for_comes(samples, open_page):
    page = shown(open_page(samples, "/calls"))
    page.get_by_role("combobox", name="Score").focus()
    page.keyboard.press("ArrowDown")
    until(page, "location.search === '?band=excellent'")
    shown(page)
    assert page.evaluate("document.activeElement.name") == "band"
    page.keyboard.press("ArrowDown")
    until(page, "location.search === '?band=good'")


def test_when_a_call_began_is_read_on_a_phone_and_on_one_line_on_a_wide_screen(samples, open_page):
    page = shown(open_page(samples, "/calls", **PHONE))
    assert page.locator("tr[data-call] time:visible").count() == page.locator("tr[data-call]").count() == 50
    page = shown(open_page(samples, "/calls"))
    assert page.locator("tr[data-call] time:visible").count() == 50
    heights = page.locator("tr[data-call] td:has(time)").evaluate_all(
        "all => all.map(one => [one.querySelector('time').getClientRects().length, one.closest('table').scrollWidth - one.closest('.scroll').clientWidth])"
    )
    assert all(lines == 1 and beyond <= 0 for lines, beyond in heights), heights


def test_a_call_of_long_ago_that_is_posted_now_does_not_go_on(collector, open_page):
    post_call(collector, "old", LONG_AGO)
    post_call(collector, "new", int(time.time() * 1000) - 60_000)
    assert [call["state"] for call in collector.json("/v1/calls")["calls"]] == ["live", "live"]
    page = shown(open_page(collector, "/calls"))
    assert page.locator("tr[data-call] td:last-child").all_inner_texts() == ["going on", "no end told"]
    page = shown(open_page(collector, "/call?id=old"))
    assert "no end told" in page.locator(".verdict").inner_text()
    words = page.locator("main").inner_text().lower()
    assert "going on" not in words and "live:" not in words
    page = shown(open_page(collector, "/call?id=new"))
    assert "going on" in page.locator(".verdict").inner_text()


def test_the_fleet_counts_both_ends_of_a_call_and_says_so(collector, open_page):
    post_call(collector, "both", LONG_AGO, ("caller", "callee"))
    page = shown(open_page(collector, "/"))
    assert page.locator(".cards div", has_text="Call records").locator("dd").inner_text() == "2"
    assert "each end that told of a call has one" in page.locator("main").inner_text()
    page.get_by_role("link", name="2 call records").first.click()
    until(page, "document.querySelector('[role=status]').textContent === '2 call records'")


def test_live_knows_no_number_before_it_is_told_one(collector, open_page):
    page = open_page(collector, "/health")
    page.clock.install()
    waiting = []
    page.route("**/v1/live", lambda route: waiting.append(route))
    page.goto(collector.address + "/live")
    shown(page)
    page.clock.fast_forward(10_000)
    assert page.locator("main p", has_text="going on").inner_text() == "– going on"
    waiting[0].continue_()
    until(page, "document.body.innerText.includes('connected')")
    page.clock.fast_forward(4_000)
    until(page, "document.querySelector('main p').textContent === '0 going on'")


def test_what_failed_while_the_server_was_away_is_tried_again(samples, open_page):
    page = shown(open_page(samples, "/calls", expects_errors=True))
    page.context.set_offline(True)
    # The list and its module are known already, the module of the fleet is not.
    for name in ("Calls", "Fleet"):
        page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).click()
        page.get_by_role("heading", name=name).wait_for()
        page.get_by_role("alert").filter(has_text="the server cannot be reached").wait_for()
        again = page.get_by_role("button", name="Try again")
        again.click()
        page.wait_for_selector("main[aria-busy=false] [role=alert]")
        assert page.evaluate("document.activeElement.id") == "main"
    page.context.set_offline(False)
    again.click()
    page.locator(".cards").wait_for()
    assert page.get_by_role("alert").count() == 0
    page = shown(open_page(samples, "/call?id=nobody", expects_errors=True))
    assert page.get_by_role("alert").count() == 1 and page.get_by_role("button", name="Try again").count() == 0


def test_events_that_are_not_marked_are_told_of(collector, open_page):
    post_call(collector, "busy", LONG_AGO)
    events = [
        {"callId": "busy", "time": str(LONG_AGO + 100 * index), "action": "iceState", "type": f"state{index}"}
        for index in range(201)
    ]
    sentence = "The first 200 of 201 events are marked."
    for count in (200, 201):
        collector.post("/v1/events?observer=caller", "\n".join(json.dumps(event) for event in events[:count]))
        page = shown(open_page(collector, call_address("busy", "caller")))
        assert page.locator("section.chart").first.locator("line.mark").count() == 200
        assert page.get_by_text(sentence).count() == count - 200


def test_spans_of_time_are_written_in_one_way(samples, collector, open_page):
    page = shown(open_page(samples, ADDRESSES["call"]))
    row = page.get_by_role("region", name="Issues").locator("tr", has_text="ICE disconnected").locator("td").all_inner_texts()
    assert row[0].endswith(" for 41\u202fms") and row[1] == "41\u202fms"
    stream = {
        "ssrc": 7, "kind": "audio", "payloadType": 0, "mimeType": "audio/PCMU", "clockRate": 8000, "firstPacketAt": LONG_AGO,
        "lastPacketAt": LONG_AGO + 90_000, "packetsReceived": 740, "packetsLost": 3760, "outageSeconds": 75.2,
    }  # fmt: skip
    body = {"callId": "wired", "observer": "wire:callee", "time": LONG_AGO + 90_000, "streams": [stream], "sensor": {}}
    collector.post("/v1/wire", json.dumps(body))
    page = shown(open_page(collector, call_address("wired", "wire:callee")))
    rows = page.get_by_role("region", name="Streams").locator("tbody tr").all_inner_texts()
    assert "outages\t1\u202fmin 15\u202fs" in rows


@pytest.mark.parametrize("call, name", [("../a b%/§é", "_a_b_é-caller.txt"), ("x" * 200, f"{'x' * 100}.txt")])
def test_a_saved_report_is_named_after_its_record(collector, open_page, call, name):
    post_call(collector, quote(call, safe=""), LONG_AGO)
    page = shown(open_page(collector, call_address(call, "caller")))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as Text").click()
    assert download.value.suggested_filename == name


def test_a_report_that_could_not_be_saved_is_told_of(samples, open_page):
    page = shown(open_page(samples, ADDRESSES["call"], expects_errors=True))
    page.context.set_offline(True)
    page.get_by_role("button", name="Save as JSON").click()
    page.get_by_role("alert").filter(has_text="the server cannot be reached").wait_for()
    page.get_by_text("Where on the path it arose").click()
    page.locator("details", has_text="the server cannot be reached").wait_for()
    page.context.set_offline(False)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as JSON").click()
    assert download.value.suggested_filename == f"{OUTAGE}-callee.json"
    until(page, "!document.querySelector('main [role=alert]')")


def test_compare_has_figures_before_somebody_points_at_a_chart(samples, open_page):
    page = shown(open_page(samples, ADDRESSES["compare"]))
    chart = page.locator("section.chart", has_text="Sound made up")
    until(page, "document.querySelector('section.chart line.cursor')")
    # In the middle of the blackout that A tells of.
    values = [value.replace("\u202f", " ") for value in chart.locator(".value").all_inner_texts()]
    assert values[:2] == ["100 %", "100 %"]
    assert chart.locator("line.cursor").get_attribute("visibility") == "visible"


def test_live_says_how_many_of_the_calls_are_listed(collector, open_page):
    page = open_page(collector, "/health")
    head = {"observer": "me", "attempt": 1, "state": "live", "score": 90, "inboundQuality": None}
    for count in (200, 201):
        calls = json.dumps({"calls": [{**head, "callId": f"call {index}"} for index in range(count)]})
        page.route("**/v1/live", lambda route: route.fulfill(content_type="text/event-stream", body=f"event: snapshot\ndata: {calls}\n\n"))
        page.goto(collector.address + "/live")
        until(page, f"document.querySelector('main p')?.textContent.startsWith('{count} going on')")
        assert page.locator("tr[data-call]").count() == 200
        assert page.get_by_text("200 records listed").count() == count - 200
