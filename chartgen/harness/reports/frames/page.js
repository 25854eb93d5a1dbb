"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const one = (id) => document.getElementById(id);

  // What needs this script is hidden without it.
  all(".filter, .copy").forEach((element) => { element.hidden = false; });

  const findings = all(".finding");
  const texts = new Map(findings.map((finding) => [finding, finding.textContent.toLowerCase()]));
  const filter = one("filter");

  function apply() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const check = one("by-check").value;
    const state = one("by-state").value;
    let shown = 0;
    for (const finding of findings) {
      const fits = (!check || finding.dataset.check === check) && (!state || finding.dataset.state === state)
        && words.every((word) => texts.get(finding).includes(word));
      finding.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    one("shown").textContent = `${shown} of ${findings.length} findings shown`;
    one("nothing").hidden = shown > 0;
  }

  if (filter) {
    const toggle = one("toggle-all");
    filter.addEventListener("input", apply);
    all(".filter select").forEach((select) => select.addEventListener("change", apply));
    one("filter").form.addEventListener("submit", (event) => event.preventDefault());
    toggle.addEventListener("click", () => {
      const open = toggle.textContent === "Open all";
      findings.forEach((finding) => { finding.open = open; });
      toggle.textContent = open ? "Close all" : "Open all";
    });
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        filter.focus();
      } else if (event.key === "Escape" && document.activeElement === filter) {
        filter.value = "";
        apply();
      }
    });
    apply();
  }

  // The clipboard is not everywhere allowed to a page that comes from disk.
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      area.style.position = "fixed";
      area.style.opacity = "0";
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      if (!done) { throw new Error("not copied"); }
    }
  }
  all(".copy").forEach((button) => {
    const name = button.getAttribute("aria-label");
    button.addEventListener("click", async () => {
      let told = "Copied";
      try { await copy(button.dataset.copy); } catch { told = "Not copied"; }
      button.textContent = told;
      button.setAttribute("aria-label", told);
      setTimeout(() => { button.textContent = "Copy"; button.setAttribute("aria-label", name); }, 2000);
    });
  });

  // A click on a heading sorts a table by that column, another one the other way round.
  const key = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
  function compare(left, right) {
    const numbers = [Number(left), Number(right)];
    return numbers.some(Number.isNaN) ? left.localeCompare(right, undefined, { numeric: true }) : numbers[0] - numbers[1];
  }
  all("table.sortable").forEach((table) => {
    const body = table.tBodies[0];
    const headings = Array.from(table.tHead.rows[0].cells);
    headings.forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = heading.getAttribute("aria-sort") === "ascending";
        headings.forEach((other) => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = Array.from(body.rows).sort((a, b) => compare(key(a, column), key(b, column)));
        body.append(...(down ? rows.reverse() : rows));
      });
    });
  });

  // On paper everything is open.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    closed.forEach((details) => { details.open = true; });
  });
  window.addEventListener("afterprint", () => closed.forEach((details) => { details.open = false; }));
})();
