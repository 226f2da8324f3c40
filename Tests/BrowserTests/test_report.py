"""The report as one HTML file, from a disk and without network."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages import OUTAGE


@pytest.fixture
def report(samples, statsreport, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(statsreport("call", OUTAGE, "--database", str(samples.database), "--format", "html"))
    return file


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_report_draws_without_network(report, browser, shots, look):
    context = browser.new_context(offline=True, color_scheme=look, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    errors, requests = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(report.as_uri())
    page.wait_for_selector(".record")
    assert page.locator("h1").count() == 2
    assert page.locator("section.chart").count() >= 16
    slider = page.get_by_role("slider").first
    assert "blackout" in slider.get_attribute("aria-valuetext")
    assert errors == [] and requests == [report.as_uri()]
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag22aa"]}}).response
    assert [one["id"] for one in found["violations"]] == []
    page.screenshot(path=shots / f"report-{look}.png", full_page=True)
    context.close()


def test_without_scripts_the_report_is_the_text_report(report, samples, browser, statsreport):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    text = statsreport("call", OUTAGE, "--database", str(samples.database))
    assert page.locator("noscript pre").inner_text().split() == text.split()
    context.close()
