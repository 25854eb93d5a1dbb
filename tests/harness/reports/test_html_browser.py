"""The page in a real browser: a report of our own chart, broken in two places."""

from __future__ import annotations

import json
import shutil
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from chartgen.harness import run
from chartgen.harness.options import Options
from chartgen.harness.reports import html

ROOT = Path(__file__).resolve().parents[3]
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
WIDTHS = (400, 1400)

pytestmark = [
    pytest.mark.skipif(
        not (BROWSER and DRIVER), reason="no Chromium with its chromedriver is on PATH (Debian: chromium chromium-driver)"
    ),
    # A browser takes a gigabyte, so the tests of one share it.
    pytest.mark.xdist_group("browser"),
]  # fmt: skip

# The contrast of each text with what lies behind it, when it is less than WCAG's level AA asks for.
_POOR_CONTRAST = """
const parts = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
  .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = parts(getComputedStyle(at).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) { return colour; }
  }
  return [255, 255, 255];
};
const poor = [];
for (const element of document.querySelectorAll("body *")) {
  const own = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !element.checkVisibility()) { continue; }
  const [one, other] = [light(parts(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
  const contrast = (one + 0.05) / (other + 0.05);
  if (contrast < 4.5) { poor.push(`${element.tagName}.${element.className}: ${contrast.toFixed(2)}`); }
}
return poor;
"""


@pytest.fixture(scope="module")
def page(tools_found, tmp_path_factory) -> Path:
    """The report as a file: a wrong image, a null, and a name that does not fit any window."""
    folder = tmp_path_factory.mktemp("page")
    chart = shutil.copytree(ROOT / "charts" / "gpu-operator", folder / "chart")
    template = chart / "templates" / "operator" / "deployment.yaml"
    text = template.read_text(encoding="utf-8")
    assert "replicas: " in text
    template.write_text(text.replace("replicas: ", "replicas: 1 # was ", 1).replace("spec:", "spec:\n  paused:", 1))
    (chart / "templates" / "odd.yaml").write_text(
        f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {'very-long-' * 9}name\ndata:\n  a: null\n"
    )
    (folder / "scratch").mkdir()
    cases = ("profile/k3s/helm4/*", "profile/default/helm4/*")
    options = Options(ROOT, cases=cases, profiles=ROOT / "values", cache=folder / "cache")
    report = run.judge(chart, options, replace(tools_found, scratch=folder / "scratch"))
    assert {failure.check for failure in report.failures} >= {"oracle", "nulls", "objects"}
    assert any(failure.diff for failure in report.failures)
    file = folder / "report.html"
    file.write_text(html.render(report), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def chromium() -> Iterator[webdriver.Chrome]:
    """A browser without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: webdriver.Chrome, page: Path) -> webdriver.Chrome:
    """The browser at the page, as a person finds it."""
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    resize(chromium, 1400)
    chromium.get(page.as_uri())
    return chromium


def resize(browser: webdriver.Chrome, width: int) -> None:
    """Give the page another width."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def scheme(browser: webdriver.Chrome, name: str) -> None:
    """Prefer light or dark."""
    features = [{"name": "prefers-color-scheme", "value": name}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def shown(browser: webdriver.Chrome) -> list[WebElement]:
    """The findings that a person sees."""
    return [finding for finding in browser.find_elements(By.CLASS_NAME, "finding") if finding.is_displayed()]


def colours(png: bytes) -> int:
    """How many different bytes the rows of a picture have; a picture of one colour has next to none."""
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    return len(set(zlib.decompress(data)))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_page_is_drawn(browser, tmp_path, width, name):
    """In either scheme, on a phone and on a desk; an empty page would not pass."""
    resize(browser, width)
    scheme(browser, name)
    picture = browser.get_screenshot_as_png()
    (tmp_path / f"{name}-{width}.png").write_bytes(picture)
    assert colours(picture) > 100
    browser.execute_script("document.body.replaceChildren()")
    assert colours(browser.get_screenshot_as_png()) < 20


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_sticks_out(browser, width):
    """With everything open, whatever the names and values are."""
    resize(browser, width)
    browser.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_text_can_be_read(browser, name):
    """With a contrast of 4.5 at least."""
    scheme(browser, name)
    browser.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert browser.execute_script(_POOR_CONTRAST) == []


def test_nothing_is_fetched_and_nothing_goes_wrong(browser, page):
    """The page asks for itself alone, and the console is empty."""
    browser.get_log("performance")
    browser.get_log("browser")
    browser.get(page.as_uri())
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
    assert {url for url in asked if not url.startswith("data:")} == {page.as_uri()}
    assert browser.get_log("browser") == []


def test_findings_are_filtered(browser):
    """By words, by check and by state; the count is told, and the matrix is left alone."""
    everything = len(shown(browser))
    assert everything > 2
    field = browser.find_element(By.ID, "filter")
    field.send_keys("VERY-LONG null")
    found = shown(browser)
    assert 0 < len(found) < everything
    assert all("very-long" in finding.get_attribute("textContent") for finding in found)
    assert browser.find_element(By.ID, "shown").text == f"{len(found)} of {everything} findings shown"
    field.send_keys(" no such words")
    assert shown(browser) == []
    assert browser.find_element(By.ID, "nothing").is_displayed()
    field.send_keys(Keys.ESCAPE)
    assert len(shown(browser)) == everything
    browser.find_element(By.CSS_SELECTOR, "#by-check option:nth-child(2)").click()
    check = browser.find_element(By.ID, "by-check").get_attribute("value")
    assert {finding.get_attribute("data-check") for finding in shown(browser)} == {check}
    browser.find_element(By.CSS_SELECTOR, "#by-state option:last-child").click()
    assert shown(browser) == []


def test_the_keyboard_is_enough(browser):
    """The first stop leads past the links, a slash leads to the filter, and a finding opens."""
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.get_attribute("class") == "skip"
    body.send_keys("/")
    assert browser.switch_to.active_element.get_attribute("id") == "filter"
    last = shown(browser)[-1]
    assert last.get_attribute("open") is None
    last.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert last.get_attribute("open")


def test_what_one_can_use_has_a_name(browser):
    """As a screen reader tells it."""
    browser.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    used = [
        node
        for node in nodes
        if node.get("role", {}).get("value") in ("button", "combobox", "searchbox", "link", "region")
    ]
    assert len(used) > 10
    assert [node["role"]["value"] for node in used if not node.get("name", {}).get("value")] == []


def test_a_command_is_copied(browser, page):
    """To the letter; the button says so."""
    browser.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    )
    [button, *_] = browser.find_elements(By.CSS_SELECTOR, ".finding[open] .command .copy")
    button.click()
    pasted = browser.execute_async_script(
        "const done = arguments[0]; navigator.clipboard.readText().then(done, (cause) => done(String(cause)))"
    )
    assert pasted.startswith(f"chartgen validate {page.parent / 'chart'} --case profile/")
    assert button.text == "Copied"


def test_a_table_is_sorted(browser):
    """By a click on a heading, as numbers where they are, and the other way round by another."""
    heading = browser.find_element(By.XPATH, "//*[@id='section-coverage']//th/button[text()='conditions']")
    column = """return Array.from(document.querySelectorAll('#section-coverage tbody tr'))
        .map((row) => Number(row.cells[1].textContent.replaceAll(',', '')))"""
    numbers = browser.execute_script(column)
    assert len(set(numbers)) > 2
    heading.click()
    assert browser.execute_script(column) == sorted(numbers)
    heading.click()
    assert browser.execute_script(column) == sorted(numbers, reverse=True)


def test_it_prints_with_everything_open(browser):
    """Without what only a screen has a use for."""
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not browser.find_element(By.TAG_NAME, "nav").is_displayed()
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.find_elements(By.CSS_SELECTOR, "details:not([open])") == []
    browser.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert browser.find_elements(By.CSS_SELECTOR, "details:not([open])")
