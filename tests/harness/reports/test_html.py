"""The page: what stands in it, without a browser."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import pytest
from support import sample_reports
from support.sample_reports import INVALID

from chartgen.harness.reports import html, printable
from chartgen.harness.results import Result

_VOID = {"meta", "link", "input", "br", "meter"}


@dataclass
class Page(HTMLParser):
    """Elements and text of a page; knows whether every element ends."""

    text: str = ""
    ids: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self):
        super().__init__()

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in _VOID - {"meter"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.text += data


def page(report):
    """A page, read."""
    read = Page()
    read.feed(html.render(report))
    return read


@pytest.mark.parametrize("report", [sample_reports.passing(), sample_reports.failing(), sample_reports.stopped()])
def test_the_page_is_well_formed(report):
    """Every element ends, every id is unique, every link of the page leads to one, and it is told what is shown."""
    read = page(report)
    assert (read.open, read.wrong) == ([], [])
    assert len(set(read.ids)) == len(read.ids)
    assert {value[1:] for _, name, value in read.attributes if name == "href" and value.startswith("#")} <= set(
        read.ids
    )
    labelled = {
        word for _, name, value in read.attributes if name.startswith("aria-labelledby") for word in value.split()
    }
    assert labelled <= set(read.ids)


def test_the_page_needs_nothing_else():
    """No address of another file, and a policy that forbids to fetch one."""
    text = html.render(sample_reports.failing())
    assert "default-src 'none'" in text
    sources = [
        (tag, value) for tag, name, value in page(sample_reports.failing()).attributes if name in ("src", "href")
    ]
    assert all(value.startswith(("#", "data:")) for _, value in sources)
    assert not re.search(r"@import|url\(", text)


def test_a_finding_has_what_it_takes_to_see_it_again():
    """The values, the diff, the file and both commands."""
    read = page(sample_reports.failing())
    for part in (
        "spec.x: helm has 1, the oracle 2", "array/0007, array/0008", sample_reports.POLICY, "+b: <none>",
        "kept/array/0007.yaml", "a: array/0007\n", "helm template array/0007 --set 'a=b'",
        "chartgen validate charts/gpu-operator --kube 1.29 --kube 1.37 --case array/0007", "kubeconform was killed by signal 9",
    ):  # fmt: skip
        assert part in read.text, part
    copied = [value for tag, name, value in read.attributes if name == "data-copy"]
    assert "helm template array/0007 --set 'a=b'" in copied
    assert "chartgen validate charts/gpu-operator --kube 1.29 --kube 1.37 --case array/0007" in copied


def test_odd_text_is_shown_as_it_is():
    """And is never taken for a part of the page."""
    read = page(sample_reports.failing())
    assert printable.text(sample_reports.ODD) in read.text
    assert "ConfigMap/<x>" in read.text


def test_the_verdict_is_in_the_title():
    """And what kept the run from passing, when no check did."""
    assert "<title>Passed: " in html.render(sample_reports.passing())
    stopped = html.render(sample_reports.stopped())
    assert "<title>Failed: " in stopped
    assert "<strong>Stopped: interrupted.</strong> 1 cases were not judged." in stopped
    assert "No case was judged." in html.render(replace(sample_reports.passing(), cases=(), results=()))


def test_tables_are_shown():
    """With shares as bars, and a word where there is nothing."""
    text = html.render(sample_reports.passing())
    assert '<td class="share" data-sort="93"><meter min="0" max="100" value="93" class="part"' in text
    assert "<span>15 of 16</span>" in text
    assert "Nothing of the kind in this run." in text
    assert '<td class="square valid" title="1 valid">1</td>' in text
    assert "Proof ledger" in text


def test_a_page_has_an_end():
    """It says how many findings are not on it."""
    results = tuple(Result("array/0007", "nulls", INVALID, f"A/{number}", "x") for number in range(1000))
    text = html.render(replace(sample_reports.passing(), cases=("array/0007",), results=results))
    assert text.count('class="finding"') == 300
    assert "700 more findings are not on this page" in text
