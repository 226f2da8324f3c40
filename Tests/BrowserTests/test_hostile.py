"""Ids and names come from strangers: they are shown, never run."""

import json
from urllib.parse import quote

import pytest

from pages import call_address, shown, until

IDS = [
    "<img src=x onerror=\"window.hit=1\">",
    "</script><script>window.hit=1</script>",
    "a/b/../c?d=e&f=g#h%2f",
    "line\u2028separator\u2029\u202Eright to left",
    "javascript:window.hit=1",
    "'\"><svg onload=window.hit=1>",
    "]]><!--<script>",
    "${window.hit=1}",
]


def post(collector, call):
    start = 1_778_000_000_000
    for index in range(4):
        time = start + index * 10_000
        stream = {
            "id": "IT1", "type": "inbound-rtp", "kind": "audio", "ssrc": 7, "timestamp": time, "jitter": 0.004,
            "packetsReceived": index * 500, "packetsLost": 0, "bytesReceived": index * 40_000,
            "totalSamplesReceived": index * 480_000, "concealedSamples": index * 4_000, "mimeType": call,
        }  # fmt: skip
        collector.post(
            f"/v1/calls/{quote(call, safe='')}/stats?observer={quote(call, safe='')}",
            json.dumps({"time": time, "statistics": [stream]}),
        )
    event = {"callId": call, "time": str(start + 5_000), "action": call, "type": call}
    collector.post(f"/v1/events?observer={quote(call, safe='')}", json.dumps(event))


@pytest.fixture(scope="module")
def hostile(program, tmp_path_factory):
    from collector import Collector

    with Collector(program, tmp_path_factory.mktemp("hostile")) as collector:
        for call in IDS:
            post(collector, call)
        yield collector


@pytest.mark.parametrize("call", IDS)
def test_a_hostile_id_is_shown_and_not_run(hostile, open_page, call):
    page = shown(open_page(hostile, call_address(call, call)))
    assert page.locator("h1").text_content() == call
    assert page.locator("main img, main script, main iframe").count() == 0
    assert page.evaluate("window.hit") is None
    assert page.locator("section", has=page.get_by_role("heading", name="Events")).get_by_text(call.split("\u2028")[0]).count() >= 1


def test_what_looks_like_a_time_in_the_words_of_a_client_is_none(collector, open_page):
    start = 1_778_000_000_000
    for time, kind, more in [(0, "callCreate", {}), (5_000, "ENDED", {"statusCode": 486, "reason": "gone at 99:99:99"})]:
        action = "callMetric" if kind == "callCreate" else "callState"
        event = {"callId": "c", "time": str(start + time), "action": action, "type": kind, **more}
        collector.post("/v1/events?observer=me", json.dumps(event))
    page = shown(open_page(collector, call_address("c", "me")))
    assert "gone at 99:99:99" in page.locator(".verdict").inner_text()


def test_a_list_of_hostile_ids_leads_to_their_calls(hostile, open_page):
    page = shown(open_page(hostile, "/calls"))
    assert sorted(page.locator("tr[data-call] a").all_text_contents()) == sorted(IDS)
    for index in range(len(IDS)):
        call = page.locator("tr[data-call] a").nth(index).text_content()
        page.locator("tr[data-call] a").nth(index).click()
        until(page, "location.pathname === '/call'")
        page.wait_for_selector(".record")
        assert page.locator("h1").text_content() == call
        page.go_back()
        page.wait_for_selector("tr[data-call]")
    assert page.evaluate("window.hit") is None


@pytest.mark.parametrize("call", IDS)
def test_a_hostile_id_does_not_break_out_of_the_html_report(hostile, browser, statsreport, tmp_path, call):
    file = tmp_path / "report.html"
    file.write_text(statsreport("call", call, "--database", str(hostile.database), "--format", "html"))
    served = f"{hostile.address}/v1/calls/{quote(call, safe='')}/report?format=html"
    for address in (file.as_uri(), served):
        context = browser.new_context()
        page = context.new_page()
        errors, requests = [], []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        page.wait_for_selector(".record")
        assert page.locator("h1").first.text_content().startswith(call)
        assert page.evaluate("window.hit") is None
        assert page.locator("script").count() == 2
        # Browsers ask every server for an icon.
        assert errors == [] and [one for one in requests if not one.endswith("/favicon.ico")] == [address]
        context.close()
