"""Real calls of 20 s from the first word of the client to the report: one between two connections of a page that loads
/reporter.js, one between two native engines whose app reports by the library CallReporter."""

import json
import re
import subprocess
import threading

import pytest
from playwright.sync_api import expect

from apps import CONNECT, Application
from collector import Collector, make_token
from native_call import native_call

SECONDS = 20


class ReportingApp:
    """An app that hands what happens to CallReporter: Examples/ReportCalls."""

    def __init__(self, program, folder, collector, token, observer):
        self._process = subprocess.Popen(
            [program.parent / "ReportCalls", collector.address, folder / observer, observer],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"SIDETONE_TOKEN": token})
        self.told = 0

    def tell(self, map):
        self._process.stdin.write(json.dumps(map).encode() + b"\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == b"kept\n"
        self.told += 1

    def end(self):
        """Waits until everything is delivered; gives what became of it."""
        output, _ = self._process.communicate(timeout=30)
        return self._process.returncode, output.decode()


@pytest.fixture(scope="module")
def calls(browser, program, tmp_path_factory):
    """Both calls, at the same time, and what could be seen of them meanwhile."""
    folder = tmp_path_factory.mktemp("calls")
    token, arguments = make_token(program, folder, "ingest,read")
    seen = {}
    with Application() as application:
        with Collector(program, folder, *arguments, "--cors-origin", application.address) as collector:
            read = {"Authorization": f"Bearer {token}"}
            ask = lambda path: json.loads(collector.request("GET", path, headers=read)[2])

            apps = [ReportingApp(program, folder, collector, token, end) for end in ("caller", "callee")]
            native = threading.Thread(target=native_call, args=("native/1", SECONDS, apps[0].tell, apps[1].tell))
            native.start()

            context = browser.new_context()
            watcher = context.new_page()
            watcher.add_init_script(f"sessionStorage.setItem('token', '{token}')")
            watcher.goto(collector.address + "/live")
            page = context.new_page()
            page.add_init_script(CONNECT)
            page.goto(application.reporting_to(collector.address, token=token))
            page.evaluate("""async () => {
              window.a = new RTCPeerConnection()
              window.b = new RTCPeerConnection()
              Sidetone.report(a, {callId: 'web/1', observer: 'caller'})
              Sidetone.report(b, {callId: 'web/1', observer: 'callee'})
              await connect(a, b, {audio: true, video: {width: 320, height: 240, frameRate: 10}})
            }""")
            page.wait_for_timeout(SECONDS / 2 * 1000)
            seen["meanwhile"] = ask("/v1/calls")["calls"]
            expect(watcher.locator("tr[data-call]")).to_have_count(4)
            seen["live"] = watcher.locator("tr[data-call]").all_inner_texts()
            page.wait_for_timeout(SECONDS / 2 * 1000)
            page.evaluate("a.close(); b.close()")
            page.wait_for_timeout(1_200)
            page.wait_for_function("Sidetone.figures().waiting === 0")
            seen["figures"] = page.evaluate("Sidetone.figures()")
            native.join(60)
            seen["apps"] = [(app.told, *app.end()) for app in apps]
            expect(watcher.locator("tr[data-call]")).to_have_count(0)
            seen["tail"] = watcher.locator(".tail li").all_inner_texts()
            context.close()
            for call in ("web%2F1", "native%2F1"):
                for record in ask(f"/v1/calls/{call}/report?format=json")["records"]:
                    seen[record["callId"], record["observer"]] = record
            yield seen


@pytest.mark.parametrize("observer", ["caller", "callee"])
@pytest.mark.parametrize("call, kinds", [("web/1", ["audio", "video"]), ("native/1", ["audio"])])
def test_a_call_is_scored_and_both_directions_are_in_it(calls, call, kinds, observer):
    record = calls[call, observer]
    assert record["outcome"] == "connected" and record["state"] == "ended"
    assert 1 <= record["worstScore"] <= record["score"] + 5 <= 105
    assert SECONDS - 5 < record["scoredSeconds"] < SECONDS + 10
    assert record["basis"]["codec"] == "audio/opus"
    if call == "web/1":
        assert re.fullmatch(r"Chrome \d+", record["client"])
    streams = sorted((stream["kind"], stream["direction"]) for stream in record["streams"])
    assert streams == sorted((kind, direction) for kind in kinds for direction in ("inbound", "outbound"))
    for stream in record["streams"]:
        assert stream["packets"] > SECONDS * (30 if stream["kind"] == "audio" else 5)
        assert stream["bitrateKilobitsPerSecond"] > 5
    assert [other["observer"] for other in record["otherObservers"]] == [{"caller": "callee", "callee": "caller"}[observer]]


@pytest.mark.parametrize("observer", ["caller", "callee"])
@pytest.mark.parametrize("call", ["web/1", "native/1"])
def test_nothing_that_was_told_is_unknown_missing_or_odd(calls, call, observer):
    record = calls[call, observer]
    quality = record["dataQuality"]
    assert quality["unknownEvents"] == [] and quality["contradictions"] == 0 and quality["missedReports"] == 0
    assert quality["reports"] in (2, 3) and record["setup"]["anomalies"] == []
    assert "missedReports" not in [issue["kind"] for issue in record["issues"]]


@pytest.mark.parametrize("observer", ["caller", "callee"])
def test_the_setup_of_a_call_in_a_page_is_measured(calls, observer):
    setup = calls["web/1", observer]["setup"]
    assert 0 < setup["answerDelayMilliseconds"] < 5_000
    assert 0 < setup["iceConnectTimeMilliseconds"] <= setup["firstMediaByMilliseconds"] < 10_000
    assert setup["iceOutcome"] == "normal" and setup["iceGatheringUpperBoundMilliseconds"] < 10_000
    assert SECONDS * 1000 - 2_000 < setup["callDurationMilliseconds"] < SECONDS * 1000 + 8_000
    assert setup["isEndKnown"] is True
    # Only the callee is told of a call.
    assert (setup["alertToAnswerMilliseconds"] is None) == (observer == "caller")
    assert calls["web/1", observer]["endCause"] == "hangup"
    assert calls["web/1", observer]["path"]["isRelayed"] is False


def test_the_setup_of_a_native_call_is_measured(calls):
    setup = calls["native/1", "caller"]["setup"]
    assert 200 <= setup["postDialDelayMilliseconds"] < 5_000
    assert 450 <= setup["ringTimeMilliseconds"] < 5_000
    assert 0 <= setup["restSentDelayMilliseconds"] <= setup["answerDelayMilliseconds"] < 10_000
    assert 0 < setup["iceConnectTimeMilliseconds"] < 15_000
    assert calls["native/1", "caller"]["endCause"] == "localHangup"
    assert calls["native/1", "callee"]["endCause"] == "remoteHangup"


def test_both_calls_are_there_while_they_go_on(calls):
    meanwhile = {(call["callId"], call["observer"]): call for call in calls["meanwhile"]}
    assert set(meanwhile) == {(call, end) for call in ("web/1", "native/1") for end in ("caller", "callee")}
    assert {call["endedAt"] for call in meanwhile.values()} == {None}
    assert sorted(row.split()[0] for row in calls["live"]) == ["native/1"] * 2 + ["web/1"] * 2
    for call in ("native/1", "web/1"):
        for word in ("quality", "ended"):
            assert [line for line in calls["tail"] if call in line and word in line], calls["tail"]


def test_everything_that_was_told_arrived(calls):
    assert calls["figures"] == {"waiting": 0, "dropped": 0}
    for told, status, output in calls["apps"]:
        assert status == 0 and f"waiting: 0, delivered: {told}, refused: 0, dropped: 0, rejected: 0" in output
