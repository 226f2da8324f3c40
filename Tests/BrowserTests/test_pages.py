"""The pages on the calls of SampleData."""

import json
import re
import subprocess
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from conftest import ROOT
from pages import ADDRESSES, OUTAGE, call_address, path, shown, unchanged, until


@pytest.mark.parametrize("name", ADDRESSES)
def test_each_page_draws(samples, open_page, shots, name):
    page = shown(open_page(samples, ADDRESSES[name]))
    assert page.locator("h1").count() == 1
    assert page.locator("[role=alert]").count() == 0
    assert page.locator("nav [aria-current=page]").count() == 1
    page.screenshot(path=shots / f"{name}.png", full_page=True)


def test_fleet_says_what_the_interface_says_and_every_bar_leads_to_the_calls_it_counts(samples, open_page):
    def look():
        """The page, its cards, and its links with their words and how many calls each leads to."""
        page = shown(open_page(samples, "/"))
        links = page.locator("main svg a, main .bars a, main .cards a").evaluate_all(
            "all => all.map(one => [one.getAttribute('href'), one.getAttribute('aria-label') ?? one.innerText])"
        )
        parts = [urlsplit(address) for address, _ in links]
        assert {part.path for part in parts} == {"/calls"}
        counts = [len(samples.json("/v1/calls?limit=1000&" + part.query)["calls"]) for part in parts]
        return page, page.locator(".cards dd").all_inner_texts(), list(zip(links, counts, strict=True))

    # A call that its clients did not end becomes one that was not answered when they have been silent for long enough.
    fleet, (page, cards, counted) = unchanged(lambda: samples.json("/v1/fleet"), look)
    assert cards[0] == str(fleet["calls"]) and str(fleet["medianScore"]) in cards[1]
    assert cards[2:4] == [str(fleet["callsWithBadStretch"]), str(fleet["failedOrUnanswered"])]
    for band in fleet["bands"]:
        assert page.get_by_role("link", name=f"{band['band']}: {band['calls']} call").count() == 1
    assert len(counted) >= 5 + 5 + len(fleet["causes"]) + 3
    for (address, words), listed in counted:
        if "sort=slowestSetup" in address or "sort=worst" in address and "maxWorst" not in address:
            continue
        assert listed == int(re.findall(r"\d+", words.replace("\n", " "))[-1]), (address, words)
    page.get_by_role("link", name=re.compile("^bad:")).click()
    shown(page)
    assert path(page) == "/calls?band=bad"


def test_the_range_of_the_fleet_stands_in_the_address(samples, open_page):
    page = shown(open_page(samples, "/"))
    page.get_by_role("link", name="last hour").click()
    until(page, "location.search === '?range=hour'")
    shown(page)
    hrefs = page.locator(".cards a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert all("from=" in href for href in hrefs)


def test_filters_stand_in_the_address_and_are_announced(samples, open_page):
    page = shown(open_page(samples, "/calls"))
    page.get_by_role("combobox", name="Score").select_option("bad")
    until(page, "location.search.includes('band=bad')")
    # The list that was asked for takes the place of the field.
    shown(page)
    page.get_by_role("searchbox", name="Call").fill(OUTAGE[:8].lower())
    page.keyboard.press("Enter")
    until(page, "location.search.includes('q=')")
    shown(page)
    query = parse_qs(urlsplit(page.url).query)
    assert query == {"band": ["bad"], "q": [OUTAGE[:8].lower()]}
    until(page, "document.querySelector('[role=status]').textContent === '2 call records'")
    again = shown(open_page(samples, path(page)))
    assert again.locator("tr[data-call]").count() == 2
    assert again.get_by_role("combobox", name="Score").input_value() == "bad"
    page.get_by_role("link", name="all calls").click()
    shown(page)
    assert path(page) == "/calls"


@pytest.mark.parametrize("field", ["codec", "client", "observer"])
def test_a_filter_of_the_address_is_gone_when_its_field_is_emptied(samples, open_page, field):
    page = shown(open_page(samples, f"/calls?{field}=x&minScore=1"))
    page.locator(f"#{field}").fill("")
    page.locator(f"#{field}").press("Enter")
    until(page, "location.search === '?minScore=1'")


def test_calls_are_listed_by_when_they_started(samples, open_page):
    calls = samples.json("/v1/calls?sort=oldest&limit=1000")["calls"]
    start = datetime.fromisoformat(calls[3]["start"])
    page = shown(open_page(samples, "/calls"))
    # The fields are in the zone of the viewer, an hour ahead of UTC.
    page.get_by_label("Started from").fill((start + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S"))
    page.get_by_label("Started from").press("Enter")
    until(page, "location.search.includes('from=')")
    shown(page)
    query = parse_qs(urlsplit(page.url).query)
    assert query == {"from": [start.strftime("%Y-%m-%dT%H:%M:%S.000Z")]}
    listed = samples.json("/v1/calls?limit=1000&from=" + query["from"][0])["calls"]
    assert len(calls) > len(listed) >= len(calls) - 3
    page.get_by_role("combobox", name="Score").select_option("bad")
    until(page, "location.search.includes('band=bad')")
    assert parse_qs(urlsplit(page.url).query)["from"] == query["from"]
    page.get_by_label("Started from").fill("")
    page.get_by_label("Started from").press("Enter")
    until(page, "location.search === '?band=bad'")


@pytest.mark.parametrize("moment", ["2026-11-21T03:37:17.919Z", "1795232237919", "2026-11-21"])
def test_a_time_of_the_address_stays_as_it_is_while_other_filters_change(samples, open_page, moment):
    page = shown(open_page(samples, f"/calls?to={moment}"))
    assert page.get_by_label("Started before").input_value().startswith("2026-11-21T0")
    page.get_by_role("combobox", name="Score").select_option("bad")
    until(page, "location.search.includes('band=bad')")
    assert parse_qs(urlsplit(page.url).query)["to"] == [moment]


def test_setup_and_duration_are_the_same_on_every_page(samples, open_page):
    listed = samples.json(f"/v1/calls?q={OUTAGE}&observer=caller")["calls"][0]["setupMilliseconds"]
    names = "Answer to media"
    page = shown(open_page(samples, f"/calls?q={OUTAGE}&observer=caller"))
    column = page.locator("thead th").all_inner_texts().index(names)
    assert page.locator("tbody tr > *").nth(column).inner_text() == f"{listed}\u202fms"
    length = page.locator("tbody tr > *").nth(column + 1).inner_text()
    page = shown(open_page(samples, call_address(OUTAGE, "caller")))
    assert page.locator(".cards div", has_text=names).locator("dd").inner_text() == f"{listed}\u202fms"
    assert page.locator(".verdict .quiet").inner_text().endswith(f" · {length}")
    page = shown(open_page(samples, f"/compare?a={OUTAGE}&aObserver=caller"))
    assert f"{listed}\u202fms" in page.locator("tr", has_text=names).inner_text()


def test_columns_sort_and_pages_lead_through_all_calls(samples, open_page):
    page = shown(open_page(samples, "/calls"))
    page.get_by_role("link", name="Worst", exact=True).click()
    until(page, "location.search === '?sort=worstStretch'")
    shown(page)
    seen = page.locator("tr[data-call]").evaluate_all("all => all.map(one => one.dataset.call)")
    assert len(seen) == 50
    page.get_by_role("link", name="Next page").click()
    until(page, "location.search.includes('cursor=')")
    until(page, "document.querySelectorAll('tr[data-call]').length < 50")
    seen += page.locator("tr[data-call]").evaluate_all("all => all.map(one => one.dataset.call)")
    listed = samples.json("/v1/calls?sort=worstStretch&limit=1000")["calls"]
    assert len(seen) == len(set(seen)) == len(listed)
    page.go_back()
    until(page, "document.querySelectorAll('tr[data-call]').length === 50")


def test_the_cursor_tells_of_the_outage_what_loss_does_not(samples, open_page):
    page = shown(open_page(samples, ADDRESSES["call"]))
    slider = page.get_by_role("slider", name="Moment of the call")
    slider.focus()
    page.keyboard.press("Home")
    # The first sound was played a moment after the record begins.
    assert slider.get_attribute("aria-valuetext").startswith("0:00: no score")
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext").startswith("0:01: score 100, excellent")
    values = []
    for _ in range(62):
        values.append(slider.get_attribute("aria-valuetext"))
        page.keyboard.press("ArrowRight")
    dark = [value for value in values if "blackout" in value]
    assert 4 <= len(dark) <= 6, dark
    for value in dark:
        assert re.search(r"score \d+, bad", value), value
        assert "made up 100 %" in value.replace("\u202f", " "), value
        assert "loss 0 %" in value.replace("\u202f", " "), value
    lit = [value for value in values if "blackout" not in value]
    assert not any("made up 100" in value for value in lit)
    page.keyboard.press("End")
    assert int(slider.get_attribute("aria-valuenow")) == int(slider.get_attribute("aria-valuemax"))
    page.keyboard.press("PageDown")
    assert int(slider.get_attribute("aria-valuenow")) == int(slider.get_attribute("aria-valuemax")) - 10


def test_all_charts_share_the_cursor_and_the_marks_of_events(samples, open_page):
    page = shown(open_page(samples, ADDRESSES["call"]))
    charts = page.locator("section.chart")
    count = charts.count()
    assert count >= 8
    events = len(samples.json(f"/v1/calls/{OUTAGE}/events?observer=callee")["records"][0]["events"])
    box = charts.nth(0).locator(".drawing").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 40)
    places = set()
    for index in range(count):
        chart = charts.nth(index)
        assert chart.locator("line.mark").count() == events
        cursor = chart.locator("line.cursor")
        assert cursor.get_attribute("visibility") == "visible"
        places.add(cursor.get_attribute("transform").split(".")[0])
    assert len(places) == 1
    page.locator("section.chart", has_text="Packet loss").get_by_text("Numbers").click()
    table = page.get_by_role("region", name="Packet loss, %")
    table.locator("tbody tr").nth(5).wait_for()


def test_times_are_in_the_zone_of_the_viewer_and_in_utc_on_hover(samples, open_page):
    summary = samples.json(f"/v1/calls/{OUTAGE}?observer=callee")["records"][0]
    hour = int(summary["start"][11:13])
    for zone, offset in (("Europe/Berlin", 1), ("Asia/Kolkata", 5.5)):
        page = shown(open_page(samples, ADDRESSES["call"], timezone_id=zone, locale="en-GB"))
        time = page.locator(".verdict .quiet time")
        assert summary["start"][11:23] in time.get_attribute("title") and "UTC" in time.get_attribute("title")
        minutes = hour * 60 + int(summary["start"][14:16]) + int(offset * 60)
        assert f"{minutes // 60 % 24:02}:{minutes % 60:02}:" in time.inner_text()


@pytest.mark.parametrize(
    ("is_pause", "lane", "other"),
    [(False, "on hold", "sender paused"), (True, "sender paused", "on hold")],
)
def test_a_hold_is_grey_and_flat_apart_from_a_pause_of_the_sender_and_what_is_missing_is_a_gap(
    samples, open_page, is_pause, lane, other
):
    listed = samples.json("/v1/calls?limit=1000")["calls"]
    call = next(
        record
        for one in listed
        for record in samples.json(f"/v1/calls/{one['callId']}")["records"]
        if record["heldSeconds"] > 9 and {hold["isSenderPause"] for hold in record["holds"]} == {is_pause}
    )
    page = shown(open_page(samples, call_address(call["callId"], call["observer"])))
    assert page.locator("rect.shade.held").count() >= 1
    timeline = page.locator("section.timeline")
    assert timeline.get_by_text(lane).count() >= 1
    assert timeline.get_by_text(other).count() == 0
    for line in page.locator("path.line").all():
        assert "NaN" not in (line.get_attribute("d") or "")


def test_faults_of_a_capture_are_not_shown_as_those_of_the_network(collector, open_page):
    time = 1_778_000_000_000
    stream = {
        "ssrc": 7, "kind": "audio", "payloadType": 0, "mimeType": "audio/PCMU", "clockRate": 8000,
        "firstPacketAt": time, "lastPacketAt": time + 5_000, "packetsReceived": 240, "packetsLost": 10,
    }  # fmt: skip
    faults = {"packetsDroppedByKernel": 12, "packetsRecordedTwice": 0, "unseenMedia": "oneDirection"}
    faults["holes"] = [{"start": time + 1_000, "end": time + 1_400}]
    for observer, streams, sensor in (("wire:callee", [stream], faults), ("wire:caller", [], {})):
        collector.post(
            "/v1/wire",
            json.dumps(
                {"callId": "wired", "observer": observer, "time": time + 5_000, "streams": streams, "sensor": sensor}
            ),
        )
    page = shown(open_page(collector, call_address("wired", "wire:callee"), locale="en-GB"))
    part = page.locator("section", has=page.get_by_role("heading", name="Capture"))
    assert part.locator("p").all_inner_texts() == [
        "the kernel dropped 12 packets while this call or its file was captured: loss may be the sensor's, not the network's",
        "1 hole in the capture, in which no stream at all was recorded: 18:53:21 (+1.000 s) for 0.4 s; what is missing "
        "there does not count as lost",
        "one direction of this call was seen; signalling or RTCP tells of the other, which passed elsewhere: what is "
        "missing says nothing of the network",
    ]
    assert "the capture had faults" in page.locator(".verdict").inner_text()
    page = shown(open_page(collector, call_address("wired", "wire:caller")))
    assert "the capture had faults" not in page.locator(".verdict").inner_text()
    part = page.locator("section", has=page.get_by_role("heading", name="Capture"))
    assert part.locator("p").all_inner_texts() == ["No fault was seen."]


def test_a_call_on_the_wire_shows_what_its_text_report_does(program, collector, open_page, shots):
    capture = ROOT / "SampleData" / "captures" / "s6-baresip-pcma-loss5-jitter30" / "capture.pcap.gz"
    subprocess.run([program, "capture", "-r", capture, "--post", collector.address], check=True, capture_output=True)
    call = collector.json("/v1/calls")["calls"][0]["callId"]
    record = collector.json(f"/v1/calls/{call}?observer=wire:callee")["records"][0]
    page = shown(open_page(collector, call_address(call, "wire:callee")))
    assert "ended: hung up (BYE)" in page.locator(".verdict").inner_text()
    part = page.locator("section", has=page.get_by_role("heading", name="Score rests on"))
    found = dict(zip(part.locator("dt").all_inner_texts(), part.locator("dd").all_inner_texts()))
    rating, basis = record["rating"], record["basis"]
    assert found["MOS-LQ, MOS-CQ"] == f"{rating['mosLQ']:.2f}, {rating['mosCQ']:.2f}"
    assert found["R"] == f"{rating['rFactor']:.1f} of {rating['largestRating']:.1f}, narrowband, ITU-T G.107"
    assert found["codec row"].startswith("G.711 with PLC: Ie 0, Bpl 25.1")
    assert found["late"].replace("\u202f", " ") == f"{basis['latePercent']:.1f} %"
    assert f"network {basis['networkDelayMilliseconds']:.0f}\u202fms," in found["delay"]
    rows = page.get_by_role("region", name="Streams").locator("tbody tr").all_inner_texts()
    shown_rows = dict(row.replace("\u202f", " ").split("\t") for row in rows)
    figures = record["streams"][0]["wire"]["figures"]
    expected = {
        "lost in bursts": f"{100 * figures['burstDensity']:.1f} %", "longest loss run": f"{figures['longestLossRun']:.0f}",
        "late packets": f"{figures['packetsDiscarded']:.0f}", "late, 60 ms buffer": f"{figures['packetsLateFor60Milliseconds']:.0f}",
        "delay variation, p95": f"{1000 * figures['delayVariation95']:.0f} ms",
        "lost, by receiver": f"{figures['receiverPacketsLost']:.0f}", "to": record["streams"][0]["wire"]["destination"],
    }  # fmt: skip
    assert expected.items() <= shown_rows.items()
    page.screenshot(path=shots / "call-wire.png", full_page=True)
    page = shown(open_page(collector, call_address(call, "wire:callee"), viewport={"width": 320, "height": 640}))
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.screenshot(path=shots / "call-wire-320.png", full_page=True)


def test_compare_aligns_the_two_ends_and_says_the_difference(samples, open_page):
    page = shown(open_page(samples, ADDRESSES["call"]))
    page.get_by_role("link", name="Compare the ends").click()
    until(page, "location.pathname === '/compare'")
    page.get_by_role("heading", name="Compare").wait_for()
    rows = page.get_by_role("region", name="Figures").locator("tbody tr").all_inner_texts()
    records = {one["observer"]: one for one in samples.json(f"/v1/calls/{OUTAGE}")["records"]}
    a, b = records["callee"]["score"], records["caller"]["score"]
    assert rows[0].split("\t") == ["Score", str(a), str(b), f"+{b - a}" if b > a else str(b - a)]
    assert page.locator("section.timeline").count() == 2
    assert page.locator("section.chart").count() >= 5


def test_compare_offers_the_other_ends_and_the_other_order(collector, open_page):
    start = 1_778_000_000_000
    stream = {"id": "I", "type": "inbound-rtp", "kind": "audio", "ssrc": 7, "packetsReceived": 0, "packetsLost": 0}
    for observer in ("caller", "callee", "server"):
        for index in range(4):
            stream["packetsReceived"] = 250 * index
            report = json.dumps({"time": start + 5_000 * index, "statistics": [stream]})
            collector.post(f"/v1/calls/c/stats?observer={observer}", report)
    page = shown(open_page(collector, "/compare?a=c&aObserver=caller"))
    choices = page.get_by_role("navigation", name="With")
    assert choices.get_by_role("link").all_inner_texts() == ["callee", "server", "⇄ swap"]
    assert choices.locator("[aria-current]").inner_text() == "callee"
    choices.get_by_role("link", name="server").click()
    until(page, "document.querySelector('nav.choices [aria-current]')?.textContent === 'server'")
    page.get_by_role("link", name="swap").click()
    until(page, "location.search.startsWith('?a=c&aObserver=server')")
    shown(page)
    assert page.locator("section.timeline a").all_inner_texts() == ["server", "caller"]


def test_a_call_that_is_not_there_is_said_in_words(samples, open_page):
    page = shown(open_page(samples, "/call?id=nobody", expects_errors=True))
    assert 'there is no call "nobody"' in page.get_by_role("alert").inner_text()
    page = shown(open_page(samples, "/calls?limit=0&colour=red", expects_errors=True))
    assert "limit" in page.get_by_role("alert").inner_text() or "colour" in page.get_by_role("alert").inner_text()


def test_the_text_report_and_the_places_of_loss_are_shown_on_request(samples, open_page):
    page = shown(open_page(samples, ADDRESSES["call"]))
    page.get_by_text("Text report", exact=True).click()
    text = page.locator("pre[aria-label='Text report']")
    until(page, "document.querySelector('pre[aria-label=\"Text report\"]')?.textContent.includes('Points lost')")
    report = samples.request("GET", f"/v1/calls/{OUTAGE}/report?observer=callee")[2].decode()
    # A moment later the call has been silent for longer.
    silence = re.compile(r"(?<=nothing heard for )[0-9.]+ s")
    assert silence.sub("…", text.inner_text().strip()) == silence.sub("…", report.strip())
    page.get_by_text("Where on the path it arose").click()
    page.get_by_text("nothing passed between caller and callee").first.wait_for()


@pytest.mark.parametrize("format,ending", [("JSON", "json"), ("Text", "txt"), ("HTML", "html")])
def test_a_report_is_saved_as_a_file(samples, open_page, format, ending):
    page = shown(open_page(samples, ADDRESSES["call"]))
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {format}").click()
    assert download.value.suggested_filename == f"{OUTAGE}-callee.{ending}"
    with open(download.value.path()) as file:
        assert OUTAGE in file.read()


def test_health_shows_what_the_server_tells_and_invents_nothing(collector, open_page):
    page = open_page(collector, "/calls")
    page.route("**/metrics", lambda route: route.fulfill(body="sidetone_calls_active 3\n"))
    page.goto(collector.address + "/health")
    shown(page)
    cards = dict(zip(page.locator(".cards dt").all_text_contents(), page.locator(".cards dd").all_text_contents()))
    assert cards["Calls going on"] == "3"
    assert {cards[name] for name in ("Up for", "Memory", "Database", "Reports taken", "Reports a second")} == {"–"}


def test_a_chart_takes_more_rows_than_a_function_takes_arguments(samples, open_page):
    page = shown(open_page(samples, "/"))
    text = page.evaluate("""async () => {
      const { Cursor, timeChart } = await import('/assets/chart.js')
      const rows = Array.from({ length: 400_000 }, (_, at) => ({ start: at, end: at + 1, low: 1, high: 2 }))
      const span = { start: 0, end: 400_000 }
      return timeChart({ title: 'T', unit: 'ms', span, origin: 0, series: [{ name: 'a', rows }], marks: [], shades: [], cursor: new Cursor() }).textContent
    }""")
    assert text.startswith("T ms")


def test_the_filters_offer_all_that_the_interface_takes(samples, open_page):
    page = shown(open_page(samples, "/calls"))
    parameters = samples.json("/openapi.json")["paths"]["/v1/calls"]["get"]["parameters"]
    taken = {one["name"]: set(one["schema"]["enum"]) for one in parameters if "enum" in one.get("schema", {})}
    for name in ("issue", "cause", "band", "relay", "state"):
        offered = page.locator(f"select[name={name}] option").evaluate_all("all => all.map(one => one.value)")
        assert {*offered, "none"} - {""} == taken[name] | {"none"}, name
