"""The files of the page: who gets them, how they are kept, what they may do."""

import gzip

import pytest

from apps import REPORTER
from collector import Collector, make_token

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PAGES = ["/", "/calls", "/call", "/compare", "/live", "/health"]


@pytest.mark.parametrize("path", PAGES)
def test_browsers_get_the_page_with_a_strict_policy(samples, path):
    status, headers, body = samples.request("GET", path, headers=HTML)
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Content-Security-Policy"].startswith("default-src 'self';")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Accept" in headers["Vary"]
    assert b"<!doctype html>" in body


def test_programs_get_the_list_of_addresses_and_no_page(samples):
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}, {"Accept": "text/html;q=0"}):
        status, headers, body = samples.request("GET", "/", headers=accept)
        assert status == 200 and headers["Content-Type"].startswith("text/plain")
        assert b"/v1/calls" in body
    status, headers, body = samples.request("GET", "/calls", headers={"Accept": "application/json"})
    assert status == 406 and b"/v1" in body


def test_all_of_it_travels_in_less_than_34_kB(samples):
    names = {file.name for file in (REPORTER.parent / "page").iterdir()} - {"index.html", "report.js"}
    paths = ["/", *(f"/assets/{name}" for name in names)]
    answers = [samples.request("GET", path, headers={**HTML, "Accept-Encoding": "gzip"}) for path in paths]
    assert {(status, headers["Content-Encoding"]) for status, headers, _ in answers} == {(200, "gzip")}
    assert 20_000 < sum(len(body) for _, _, body in answers) < 34_000


@pytest.mark.parametrize("path", ["/calls", "/assets/main.js", "/assets/style.css", "/assets/icon.svg", "/reporter.js"])
def test_what_a_browser_has_is_not_sent_again(samples, path):
    status, headers, body = samples.request("GET", path, headers=HTML)
    assert status == 200 and body
    tag = headers["ETag"]
    assert headers["Cache-Control"] == "no-cache"
    for known in (tag, f'"other", {tag}', tag.removeprefix("W/"), "*"):
        status, headers, body = samples.request("GET", path, headers={**HTML, "If-None-Match": known})
        assert status == 304 and headers["ETag"] == tag and body == b""
    status, _, _ = samples.request("GET", path, headers={**HTML, "If-None-Match": '"other"'})
    assert status == 200
    status, head, body = samples.request("HEAD", path, headers=HTML)
    assert status == 200 and head["ETag"] == tag and body == b""


def test_files_need_no_token_and_data_does(program, tmp_path):
    token, arguments = make_token(program, tmp_path, "read")
    with Collector(program, tmp_path, *arguments) as collector:
        for path in PAGES + ["/assets/main.js", "/reporter.js"]:
            assert collector.request("GET", path, headers=HTML)[0] == 200
        assert collector.request("GET", "/v1/calls")[0] == 401
        assert collector.request("GET", "/v1/calls", headers={"Authorization": f"Bearer {token}"})[0] == 200


def test_the_reporter_may_be_loaded_by_other_pages_and_nothing_else_may(samples):
    assert samples.request("GET", "/reporter.js")[1]["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert samples.request("GET", "/assets/main.js")[1]["Cross-Origin-Resource-Policy"] == "same-origin"
    assert samples.request("GET", "/assets/nothing.js")[0] == 404
    assert samples.request("POST", "/assets/main.js", b"{}")[0] == 405


def test_files_travel_compressed_to_those_who_take_it(samples):
    plain = samples.request("GET", "/assets/chart.js")
    packed = samples.request("GET", "/assets/chart.js", headers={"Accept-Encoding": "br, gzip;q=0.9"})
    assert packed[1]["Content-Encoding"] == "gzip" and plain[1]["Content-Encoding"] is None
    assert gzip.decompress(packed[2]) == plain[2] and len(packed[2]) < len(plain[2]) / 2
