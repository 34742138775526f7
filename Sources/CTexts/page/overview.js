/* The overview: all scenarios with filter and search, failures first. */

const overview = {
  rows: [], byKey: new Map(), outcome: "", query: "", shown: 100, complete: false, last: null,
};
const overviewStep = 200;

/* The name of a row in links: `path:line`, and the id of the row of a table. */
function rowKey(row) {
  const path = row.p.replace(/^\.\//, "");
  return row.l ? `${path}:${row.l}${row.r === undefined ? "" : `:${row.r}`}` : path;
}
const rowName = (row) => row.t + (row.r === undefined ? "" : ` [${row.r}]`);

/* Reads the rows block by block; what a reader sees first is there first. */
async function readRows(changed) {
  overview.head = await expandJSON("head");
  for (let block = 0; block < overview.head.blocks; block++) {
    for (const row of await expandJSON(`rows${block}`)) {
      row.index = overview.rows.length;
      row.text = `${rowName(row)} ${row.p}:${row.l || ""} ${(row.g || []).join(" ")} ${
        row.m || ""}`.toLowerCase();
      overview.rows.push(row);
      const key = rowKey(row);
      if (!overview.byKey.has(key)) overview.byKey.set(key, row);
    }
    changed();
    await pause();
  }
  overview.complete = true;
  changed();
}

/* Words must all be there; `tag:x` and `file:x` look at one part. */
function matcher(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (row) => words.every((word) => {
    if (word.startsWith("tag:")) {
      return (row.g || []).some((tag) => tag.toLowerCase() === word.slice(4));
    }
    if (word.startsWith("file:")) return row.p.toLowerCase().includes(word.slice(5));
    return row.text.includes(word);
  });
}

function foundRows() {
  const matches = matcher(overview.query);
  return overview.rows.filter((row) =>
    (!overview.outcome || hasOutcome(row, overview.outcome)) && matches(row));
}

/* A scenario may have warnings beside its outcome. */
const hasOutcome = (row, outcome) => row.o === outcome || (outcome === "warned" && row.x === 1);
const badges = (row) => [badge(row.o), row.x ? badge("warned") : null];

function overviewRow(row) {
  const facts = [];
  if (row.a && row.a[1]) facts.push(`${row.a[0]} of ${row.a[1]} assertions`);
  if (row.v) facts.push(`virtual ${duration(row.v)}`);
  if (row.w !== undefined) facts.push(`real ${duration(rounded(row.w))}`);
  return el("li", { class: `row ${row.o}`, "data-key": rowKey(row) },
    el("a", { href: fragment({ s: rowKey(row) }) }, badges(row),
      el("span", { class: "title", text: rowName(row) })),
    row.m ? el("p", { class: "message", text: row.m }) : null,
    el("p", { class: "facts" },
      el("span", { class: "place", text: row.l ? `${row.p}:${row.l}` : row.p }),
      (row.g || []).map((tag) => button(tag, () => search(`tag:${tag}`),
        { class: "tag", "aria-label": `Show scenarios with the tag ${tag}` })),
      facts.length ? el("span", { class: "figures", text: facts.join(" · ") }) : null));
}

function search(text) {
  overview.query = text;
  if (readFragment().s) location.hash = fragment({ q: text });
  else {
    $("search").value = text;
    drawRows();
  }
}

/* The numbers of the summary. The numbers of warnings overlap with them, or count files. */
function countsOfOutcomes() {
  const counts = { scenarios: overview.rows.filter((row) => row.o !== "warned").length };
  for (const outcome of Object.keys(words)) {
    counts[outcome] = overview.rows.filter((row) => hasOutcome(row, outcome)).length;
  }
  return counts;
}

function drawFilters() {
  const counts = countsOfOutcomes();
  const chip = (outcome, text, count) => button("", () => {
    overview.outcome = outcome;
    overview.shown = 100;
    drawFilters();
    drawRows();
  }, { class: `chip ${outcome}`, "aria-pressed": String(overview.outcome === outcome),
       "data-outcome": outcome || "all" });
  const chips = [["", "All", counts.scenarios]].concat(
    Object.keys(words).filter((outcome) => counts[outcome])
      .map((outcome) => [outcome, words[outcome], counts[outcome]]));
  const made = chips.map(([outcome, text, count]) => {
    const one = chip(outcome, text, count);
    one.append(el("span", { text: text + " " }), el("b", { text: String(count) }));
    return one;
  });
  const focused = document.activeElement && document.activeElement.dataset.outcome;
  $("filters").replaceChildren(...made);
  if (focused) {
    const again = made.find((one) => one.dataset.outcome === focused);
    if (again) again.focus();
  }
}

function drawRows() {
  const found = foundRows();
  const list = $("rows");
  list.replaceChildren(...found.slice(0, overview.shown).map(overviewRow));
  const rest = found.length - Math.min(found.length, overview.shown);
  $("more").hidden = rest === 0;
  $("more").textContent = `Show ${Math.min(rest, overviewStep)} more of ${rest}`;
  $("none").hidden = found.length > 0 || !overview.complete;
  $("none").textContent = overview.rows.length
    ? "Nothing matches. Clear the search or the filter." : "No scenario ran.";
  $("found").textContent = overview.complete
    ? `${found.length} of ${overview.rows.length} entries` : "Reading the scenarios…";
  if (!readFragment().s) {
    history.replaceState(null, "", fragment({ o: overview.outcome, q: overview.query }));
  }
}

const table = (name, heads, lines) => el("table", { "aria-label": name },
  el("thead", {}, el("tr", {}, heads.map((text) => el("th", { scope: "col", text })))),
  el("tbody", {}, lines.map((line) =>
    el("tr", {}, line.map((text) => el("td", { text: String(text) }))))));

/* When, where and how the scenarios were run, if the report knows. */
function origin({ began, commit, environment, system, by, command }) {
  const facts = [began && new Date(began).toLocaleString(), commit && `commit ${commit.slice(0, 9)}`,
    environment && `environment ${environment}`, system, by].filter(Boolean);
  return el("p", { class: "origin" }, el("span", { text: facts.join(" · ") }),
    el("code", { text: command }));
}

/* What no scenario has reached, and how often rules were exercised, if the run knows. */
function sums() {
  const { coverage, covered, rules, run } = overview.head || {};
  const unreached = coverage ? coverage.unreached : [];
  return [
    run ? origin(run) : null,
    coverage ? el("details", { class: "sums", id: "coverage" },
      el("summary", { text: `Coverage: ${covered}` }),
      unreached.length ? table("Not reached by any scenario", ["not reached", "place"],
        unreached.map((one) => [one.part, `${one.path}:${one.line}`]))
        : el("p", { text: "Everything was reached." })) : null,
    rules ? el("details", { class: "sums", id: "rules" },
      el("summary", { text: `Rules: ${rules.filter((rule) => rule.broken).length} of ${
        rules.length} broken` }),
      table("Rules", ["rule", "exercised", "broken"],
        rules.map((rule) => [rule.rule, rule.exercised, rule.broken]))) : null,
  ].filter(Boolean);
}

function drawSums() {
  if (!$("sums").firstChild) $("sums").append(...sums());
}

function showMore() {
  overview.shown += overviewStep;
  drawRows();
}

function showOverview() {
  const parts = readFragment();
  overview.outcome = parts.o || "";
  overview.query = parts.q || "";
  document.title = "Rehearsal report";
  const field = el("input", {
    id: "search", type: "search", autocomplete: "off", spellcheck: "false",
    placeholder: "title, file, message, tag:name", input: () => {
      overview.query = field.value;
      overview.shown = 100;
      drawRows();
    },
  });
  field.value = overview.query;
  $("main").replaceChildren(
    el("section", { class: "finding", "aria-label": "Filter and search" },
      el("div", { id: "filters", role: "group", "aria-label": "Outcome" }),
      el("label", { for: "search", text: "Search" }), field,
      el("span", { id: "found", role: "status" })),
    el("div", { id: "sums" }),
    el("h2", { class: "offscreen", text: "Scenarios" }),
    el("ol", { id: "rows" }),
    el("p", { id: "none", hidden: true }),
    button("", showMore, { id: "more", hidden: true }));
  drawFilters();
  drawRows();
  drawSums();
  new IntersectionObserver((seen) => {
    if (seen[0].isIntersecting && !$("more").hidden) showMore();
  }, { rootMargin: "600px" }).observe($("more"));
  const last = overview.last && document.querySelector(
    `[data-key="${CSS.escape(overview.last)}"] a`);
  if (last) last.focus();
  overview.last = null;
}

/* While rows are read, the overview grows; nothing else is disturbed. */
function rowsChanged() {
  if (!$("rows")) return;
  const isFirst = $("rows").childElementCount < 100;
  drawFilters();
  drawSums();
  if (isFirst || overview.complete || overview.query || overview.outcome) drawRows();
}
