/* The overview: all scenarios with filter and search, in groups and in an order. */

const overview = {
  rows: [], byKey: new Map(), outcome: "", query: "", group: "", sort: "", shown: 100,
  complete: false, last: null,
};
const overviewStep = 200;

/* The choices of the overview as parts of its address. */
const choices = () => ({
  o: overview.outcome, q: overview.query, g: overview.group, b: overview.sort,
});

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

const byPlace = (one, other) => (one.p < other.p ? -1 : one.p > other.p ? 1 : 0)
  || (one.l || 0) - (other.l || 0) || one.index - other.index;
const length = (row) => (row.w === undefined ? row.v || 0 : row.w);
const orders = {
  "": ["failures first", (one, other) => one.index - other.index],
  file: ["file and line", byPlace],
  time: ["longest first", (one, other) => length(other) - length(one) || one.index - other.index],
};

/* The failures with one cause: the same diagnostic at one place, or with the same values. */
function causesOf(rows) {
  const byKey = new Map();
  for (const row of rows) {
    if (!row.i) continue;
    const keys = [row.q && `${row.i} at ${row.q}`,
      row.f && `${row.i} ${row.m} ${JSON.stringify(row.f)}`, `${row.i} ${row.m} ${row.index}`]
      .filter(Boolean);
    const known = [...new Set(keys.map((key) => byKey.get(key)).filter(Boolean))];
    const group = known.shift() || { rows: [], keys: [] };
    for (const one of known) {
      group.rows.push(...one.rows);
      for (const key of one.keys) byKey.set(key, group);
      group.keys.push(...one.keys);
    }
    group.rows.push(row);
    for (const key of keys) byKey.set(key, group);
    group.keys.push(...keys);
  }
  return [...new Set(byKey.values())].map((group) => group.rows);
}

/* Groups of rows, each with its title; a row with several tags is in several groups. */
function groupedBy(rows, names, other) {
  const groups = new Map();
  for (const row of rows) {
    for (const name of names(row)) {
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(row);
    }
  }
  return [...groups].sort(([one], [two]) => (one === "") - (two === "") || (one < two ? -1 : 1))
    .map(([name, found]) => ({ title: name || other, rows: found }));
}

const isBad = (outcome) => outcome === "failed" || outcome === "could-not-run";

/* A scenario that was broken and mended has changed twice. */
const changesOfFlaky = 3;

/* Whether a scenario was flaky in one of the last runs, or passes and fails in turn. */
function isUnsteady(row) {
  if (!row.h || row.o === "flaky") return false;
  const ends = [...row.h, row].map((one) => one.o).filter((outcome) => outcome !== "skipped");
  const changes = ends.filter((end, at) => at > 0 && isBad(end) !== isBad(ends[at - 1])).length;
  return ends.includes("flaky") || changes >= changesOfFlaky;
}

const changes = ["Newly failing", "Newly passing", "Failing in another way", "Failing as before",
  "Not in the earlier run", "As before"];

/* What has become of a scenario since the run that this one is compared with. */
function changeOf({ o, m, f, b, l }) {
  if (!b) return l ? changes[4] : changes[5];
  if (isBad(o) !== isBad(b.o)) return changes[isBad(o) ? 0 : 1];
  if (!isBad(o)) return changes[5];
  return changes[m === b.m && JSON.stringify(f) === JSON.stringify(b.f) ? 3 : 2];
}

const groupings = {
  none: ["none", (rows) => [{ rows }]],
  change: ["change", (rows) => changes.map((title) => ({
    title, rows: rows.filter((row) => changeOf(row) === title) }))
    .filter((group) => group.rows.length)],
  cause: ["cause", (rows) => causesOf(rows).sort((one, other) => other.length - one.length)
    .map((found) => ({ title: found[0].m, rows: found }))
    .concat({ title: "without a failure", rows: rows.filter((row) => !row.i) })
    .filter((group) => group.rows.length)],
  file: ["file", (rows) => groupedBy(rows, (row) => [row.p])],
  tag: ["tag", (rows) => groupedBy(rows, (row) => row.g || [""], "without a tag")],
};

/* A scenario may have warnings beside its outcome. */
const hasOutcome = (row, outcome) => row.o === outcome || (outcome === "warned" && row.x === 1)
  || (outcome === "unsteady" && isUnsteady(row));
const badges = (row) => [badge(row.o), row.x ? badge("warned") : null,
  isUnsteady(row) ? badge("unsteady") : null];

/* Of a part that differs, both sides; of a fact, its text. */
function firstDifference([name, actual, expected, kind]) {
  const side = (word, text, look) => (text ? [word, el(look, { text })] : [word]);
  const sides = kind === undefined
    ? [el(name === "actual" ? "del" : name === "expected" ? "ins" : "span", { text: actual })]
    : kind === "missing" ? side("is missing, expected ", expected, "ins")
      : kind === "unexpected" ? side("is not expected ", actual, "del")
        : [...side("", actual, "del"), ...(expected ? side(" expected ", expected, "ins") : [])];
  return el("li", {}, el("span", { class: "note", text: `${name} ` }), sides);
}

/* The result of the run that this one is compared with, unless nothing has changed. */
function before(row) {
  if (!row.b || changes.indexOf(changeOf(row)) > 2) return null;
  return el("div", { class: "before" }, el("p", {}, "Before: ", badge(row.b.o),
    row.b.m ? [" ", coded(row.b.m)] : []),
    row.b.f ? el("ul", { class: "first" }, row.b.f.map(firstDifference)) : null);
}

/* The verdicts of the last runs, the oldest first. */
function historyStrip(row) {
  const ends = [...row.h, row];
  return el("span", { class: "history", role: "img",
    "aria-label": `last runs: ${ends.map((end) => words[end.o].toLowerCase()).join(", ")}` },
    ends.map((end) => el("span", { class: end.o, text: signs[end.o],
      title: `${words[end.o]} ${duration(rounded(end.w || 0))}` })));
}

function overviewRow(row) {
  const facts = [];
  if (row.a && row.a[1]) facts.push(`${row.a[0]} of ${row.a[1]} assertions`);
  if (row.v) facts.push(`virtual ${duration(row.v)}`);
  if (row.w !== undefined) facts.push(`real ${duration(rounded(row.w))}`);
  if (row.b && row.b.w !== undefined) facts.push(`before ${duration(rounded(row.b.w))}`);
  return el("li", { class: `row ${row.o}`, "data-key": rowKey(row) },
    el("a", { href: fragment({ s: rowKey(row) }) }, badges(row),
      el("span", { class: "title", text: rowName(row) })),
    row.m ? el("p", { class: "message" }, coded(row.m)) : null,
    row.f ? el("ul", { class: "first" }, row.f.map(firstDifference)) : null, before(row),
    el("p", { class: "facts" },
      el("span", { class: "place", text: row.l ? `${row.p}:${row.l}` : row.p }),
      (row.g || []).map((tag) => button(tag, () => search(`tag:${tag}`),
        { class: "tag", "aria-label": `Show scenarios with the tag ${tag}` })),
      facts.length ? el("span", { class: "figures", text: facts.join(" · ") }) : null,
      row.h ? historyStrip(row) : null));
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

/* Failures and their causes: `3 failures for 1 cause`. */
function causesText(rows) {
  const failed = rows.filter((row) => row.i && row.o !== "passed" && row.o !== "warned");
  const causes = causesOf(failed).length;
  return failed.length > causes ? ` · ${counted(failed.length, "failure")} for ${
    counted(causes, "cause")}` : "";
}

function groupHead({ title, rows }) {
  return el("li", { class: "group" }, el("h3", {}, coded(title)),
    el("span", { class: "note", text: counted(rows.length, "scenario") }));
}

function drawRows() {
  const found = foundRows();
  const list = $("rows");
  const sorted = (orders[overview.sort] || orders[""])[1];
  const groups = grouping()[1]([...found].sort(sorted));
  let room = overview.shown;
  list.replaceChildren(...groups.flatMap((group) => {
    if (room <= 0) return [];
    const shown = group.rows.slice(0, room);
    room -= shown.length;
    return [...(group.title ? [groupHead(group)] : []), ...shown.map(overviewRow)];
  }));
  const rest = found.length - Math.min(found.length, overview.shown);
  $("more").hidden = rest === 0;
  $("more").textContent = `Show ${Math.min(rest, overviewStep)} more of ${rest}`;
  $("none").hidden = found.length > 0 || !overview.complete;
  $("none").textContent = overview.rows.length
    ? "Nothing matches. Clear the search or the filter." : "No scenario ran.";
  $("found").textContent = overview.complete
    ? `${found.length} of ${counted(overview.rows.length, "entry").replace("ys", "ies")}${
      causesText(found)}` : "Reading the scenarios…";
  if (!readFragment().s) {
    history.replaceState(null, "", fragment(choices()));
  }
}

const table = (name, heads, lines) => el("table", { "aria-label": name },
  el("thead", {}, el("tr", {}, heads.map((text) => el("th", { scope: "col", text })))),
  el("tbody", {}, lines.map((line) =>
    el("tr", {}, line.map((text) => el("td", { text: String(text) }))))));

const runName = ({ began, commit }) => [began && new Date(began).toLocaleString(),
  commit && `commit ${commit.slice(0, 9)}`].filter(Boolean).join(" · ") || "an earlier run";

/* When, where and how the scenarios were run, if the report knows. */
function origin({ began, commit, environment, system, by, command }) {
  const facts = [began && runName({ began, commit }), environment && `environment ${environment}`,
    system, by].filter(Boolean);
  return el("p", { class: "origin" }, el("span", { text: facts.join(" · ") }),
    el("code", { text: shortText(command, 240) }), copyButton(command, "command"));
}

/* What no scenario has reached, and how often rules were exercised, if the run knows. */
function sums() {
  const { coverage, covered, rules, run, compared, gone } = overview.head || {};
  const unreached = coverage ? coverage.unreached : [];
  return [
    run ? origin(run) : null,
    compared ? el("p", { class: "origin", text: `Compared with ${runName(compared)}` }) : null,
    gone && gone.length ? el("details", { class: "sums", id: "gone" },
      el("summary", { text: `Not in this run: ${counted(gone.length, "scenario")}` }),
      el("ul", {}, gone.slice(0, 500).map((text) => el("li", { text })))) : null,
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

/* A list that chooses how the overview is shown. */
function choice(name, label, entries) {
  const list = el("select", { id: name, change: () => {
    overview[name] = list.value;
    overview.shown = 100;
    drawRows();
  } }, Object.entries(entries).map(([value, [text]]) => el("option", { value, text })));
  list.value = Object.entries(entries).find(([, entry]) => entry
    === (name === "group" ? grouping() : orders[overview.sort] || orders[""]))[0];
  return el("span", { class: "choice" }, el("label", { for: name, text: label }), list);
}

/* How scenarios are grouped: by what has changed, if this run is compared with another. */
const isCompared = () => Boolean((overview.head || {}).compared);
const grouping = () => groupings[overview.group]
  || (isCompared() ? groupings.change : groupings.none);

function drawChoices() {
  const { change, ...others } = groupings;
  $("choices").replaceChildren(
    choice("group", "Group by", isCompared() ? groupings : others),
    choice("sort", "Sort by", orders));
}

function showOverview() {
  const parts = readFragment();
  overview.outcome = parts.o || "";
  overview.query = parts.q || "";
  overview.group = parts.g || "";
  overview.sort = parts.b || "";
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
      el("span", { id: "choices" }),
      el("span", { id: "found", role: "status" })),
    el("div", { id: "sums" }),
    el("h2", { class: "offscreen", text: "Scenarios" }),
    el("ol", { id: "rows" }),
    el("p", { id: "none", hidden: true }),
    button("", showMore, { id: "more", hidden: true }));
  drawFilters();
  drawChoices();
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
  if (isCompared() && $("group").options.length < Object.keys(groupings).length) drawChoices();
  drawFilters();
  drawSums();
  if (isFirst || overview.complete || overview.query || overview.outcome) drawRows();
}
