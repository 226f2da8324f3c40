"""Conventions: keyboard, screen readers, contrast, narrow screens, themes."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages import ADDRESSES, OUTAGE, path, shown, until

LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 412, "height": 915}, "is_mobile": True, "has_touch": True},
}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def unfolded(page):
    """Shows what a narrow screen has folded."""
    for button in page.locator("button[aria-expanded=false]:visible").all():
        button.click()
    return page


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", ADDRESSES)
def test_axe_finds_nothing(samples, open_page, shots, name, look):
    page = unfolded(shown(open_page(samples, ADDRESSES[name], **LOOKS[look])))
    for summary in page.locator("main details > summary").all()[:3]:
        summary.click()
    results = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}}).response
    assert len(results["passes"]) > 10
    found = [f"{one['id']}: {node['html'][:200]} {node['failureSummary']}" for one in results["violations"] for node in one["nodes"]]
    assert found == []
    page.screenshot(path=shots / f"{name}-{look}.png", full_page=True)


@pytest.mark.parametrize("name", ADDRESSES)
def test_nothing_scrolls_sideways_at_320_pixels(samples, open_page, shots, name):
    page = shown(open_page(samples, ADDRESSES[name], viewport={"width": 320, "height": 640}))
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    clipped = page.locator("svg text").evaluate_all(
        """all => all.filter(one => { const box = one.getBoundingClientRect(), host = one.ownerSVGElement.getBoundingClientRect();
        return box.width && (box.left < host.left - 6 || box.right > host.right + 6); }).map(one => one.textContent)"""
    )
    assert clipped == []
    sizes = page.locator("svg text").evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert all(size >= 11 for size in sizes)
    page.screenshot(path=shots / f"{name}-320.png", full_page=True)


@pytest.mark.parametrize("name", ADDRESSES)
def test_targets_are_large_enough_for_a_finger(samples, open_page, name):
    page = unfolded(shown(open_page(samples, ADDRESSES[name], **LOOKS["phone"])))
    small = page.locator("button:not(.link), select, input").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().height < 36).map(one => one.outerHTML)"
    )
    assert small == []


@pytest.mark.parametrize("name", ["fleet", "call"])
def test_forced_colours_stay_legible(samples, open_page, shots, name):
    page = shown(open_page(samples, ADDRESSES[name], forced_colors="active"))
    colours = page.locator("rect.bar, path.line, svg text").evaluate_all(
        """all => [...new Set(all.map(one => { const style = getComputedStyle(one);
        return style.fill === 'none' ? style.stroke : style.fill; }))]"""
    )
    # Chromium's forced palette here: black on white, and greys.
    assert colours and set(colours) <= {"rgb(0, 0, 0)", "rgb(109, 109, 109)", "rgb(128, 0, 0)", "rgb(96, 0, 0)"}, colours
    page.screenshot(path=shots / f"{name}-forced.png", full_page=True)


def test_reduced_motion_is_kept_to(samples, open_page):
    for motion, behaviour in (("reduce", "auto"), ("no-preference", "smooth")):
        page = shown(open_page(samples, "/", reduced_motion=motion))
        assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == behaviour


def test_the_theme_is_chosen_and_kept(samples, open_page):
    page = shown(open_page(samples, "/", color_scheme="light"))
    paper = "getComputedStyle(document.querySelector('header')).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_label("Theme").select_option("dark")
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    shown(page)
    assert page.evaluate(paper) == dark
    page.get_by_label("Theme").select_option("system")
    assert page.evaluate(paper) == light


def test_everything_is_reached_by_keys(samples, open_page):
    page = shown(open_page(samples, "/"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("g")
    page.keyboard.press("c")
    until(page, "location.pathname === '/calls'")
    page.wait_for_selector("tr[data-call]")
    page.keyboard.press("/")
    until(page, "document.activeElement.id === 'q'")
    page.keyboard.type("gjk/?" + OUTAGE[:4])
    assert path(page) == "/calls"
    page.locator("#q").fill("")
    page.locator("h1").click()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    focus = "document.activeElement.closest('tr')?.dataset.call"
    first = page.evaluate("document.querySelector('tr[data-call]').dataset.call")
    assert page.evaluate(focus) == first
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    assert page.locator("[role=status]").first.inner_text() == "2 marked, c compares them"
    page.keyboard.press("c")
    until(page, "location.pathname === '/compare'")
    page.get_by_role("heading", name="Compare").wait_for()
    page.go_back()
    page.wait_for_selector("tr[data-call]")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    until(page, "location.pathname === '/call'")
    page.get_by_role("slider").wait_for()
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_what_screen_readers_get_of_a_call(samples, open_page):
    page = shown(open_page(samples, ADDRESSES["call"]))
    labels = page.locator("main svg[role=img]").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert len(labels) >= 10 and all(labels)
    assert any(label.startswith("Score over 1") and "blackout at 0:25" in label for label in labels), labels
    loss = next(label for label in labels if label.startswith("Packet loss"))
    assert "in audio 0" in loss and "out video" in loss
    tree = page.locator("main").aria_snapshot()
    for part in ["slider \"Moment of the call\"", "heading \"Issues\"", "heading \"Events\"", "columnheader \"Likely cause\""]:
        assert part in tree, tree
