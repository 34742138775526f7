/* The page of one scenario, and the start of the whole page. */

/* The lines of a failure in parts. Lines below an excerpt share their indentation. */
function failureLines(text) {
  const lines = text.split("\n").map((line) => {
    const [, gutter = "", rest] = /^(\s*\d* ?\|(?: |$))?(.*)$/.exec(line);
    return { gutter, indent: "", arrows: "", rest };
  });
  lines.forEach((line, at) => {
    if (!/\d/.test(line.gutter)) return;
    let end = at + 1;
    while (end < lines.length && lines[end].gutter && !/\d/.test(lines[end].gutter)) end += 1;
    const below = lines.slice(at + 1, end);
    const [, before, arrows] = /^( *)(\^+)/.exec(below.length ? below[0].rest : "") || [];
    if (!arrows) return;
    line.spot = [before.length, before.length + arrows.length];
    Object.assign(below[0], { indent: before, arrows,
      rest: below[0].rest.slice(before.length + arrows.length) });
    const others = below.slice(1).filter((one) => one.rest.trim());
    const shared = Math.min(...others.map((one) => one.rest.search(/\S/)));
    for (const one of others) {
      [one.indent, one.rest] = [one.rest.slice(0, shared), one.rest.slice(shared)];
    }
  });
  return lines;
}

/* The failures as the terminal shows them, with what was compared in colour. On a narrow screen,
   lines fold, indentation is left out, and the excerpt has the mark that arrows are elsewhere. */
function failurePage(text, view) {
  const linked = (line) => (view ? line.split(/(event \d+\b)(?! of )/) : [line]).map((part, at) =>
    (at % 2 === 0 ? part : el("button", { type: "button", class: "link", text: part,
      click: () => view.selectEvent(Number(part.slice(6))) })));
  const kind = ({ gutter, arrows, rest }) => {
    if (arrows) return rest.trim() ? "caret" : "caret bare";
    if (/^\s*(actual|-\s)/.test(rest) && !/\d/.test(gutter)) return "removed";
    if (/^\s*(expected|\+\s)/.test(rest) && !/\d/.test(gutter)) return "added";
    return /^(error|warning)\[/.test(rest) ? "headline" : "";
  };
  return el("pre", { class: "page", tabindex: "0", role: "group", "aria-label": "Failure" },
    failureLines(text).map((line) => {
      const { gutter, indent, arrows, rest, spot } = line;
      const content = spot ? [rest.slice(0, spot[0]),
        el("span", { class: "spot", text: rest.slice(...spot) }), rest.slice(spot[1])]
        : arrows || /^(error|warning)\[|^ *= help/.test(rest) ? coded(rest) : linked(rest);
      return el("span", { class: kind(line) }, gutter,
        indent && el("span", { class: "indent", text: indent }),
        arrows && el("span", { class: "arrows", text: arrows }), content, "\n");
    }));
}

/* A failure as Markdown for a tracker: what failed, where, how to repeat it, and with what. */
function issueText(row, text, notes) {
  const { commit, environment, system, by } = (overview.head || {}).run || {};
  const fence = "`".repeat(Math.max(3, ...(text.match(/`+/g) || []).map((one) => one.length + 1)));
  const facts = [commit && `commit ${commit}`, by, environment && `environment ${environment}`,
    system].filter(Boolean);
  return [`### ${rowName(row)}`, `${row.p}${row.l ? `:${row.l}` : ""}`,
    [fence + "text", text, fence].join("\n"),
    ...notes.map((note) => [`To repeat it (${note.name}):`, `${fence}sh`, note.text, fence]
      .join("\n")), facts.join(", ")].filter(Boolean).join("\n\n") + "\n";
}

function failureCard(row, failure, text, number, view) {
  const notes = (failure ? failure.notes : []).filter((note) =>
    note.name === "rerun" || note.name === "curl");
  // A course has other events than the timeline.
  return el("article", { class: "failure" }, failurePage(text, row.u ? null : view),
    el("div", { class: "actions" },
      notes.map((note) => el("span", { class: "command" },
        el("span", { class: "note", text: note.name }), el("code", { text: note.text }),
        copyButton(note.text, note.name))),
      view && failure ? button("Show on the timeline", () => view.selectFailure(failure, number))
        : null, copyButton(issueText(row, text, notes), "failure", "Copy for an issue")));
}

class ScenarioView {
  constructor(row, detail) { Object.assign(this, { row, detail: detail || {} }); }

  show() {
    const { row, detail } = this;
    document.title = `${rowName(row)} · Rehearsal report`;
    const heading = el("h2", { tabindex: "-1", text: rowName(row) });
    this.timelinePlace = el("section", { class: "timeline", "aria-label": "Timeline" });
    $("main").replaceChildren(
      el("p", { class: "back" }, el("a", { href: fragment(choices()), text: "← All scenarios" })),
      el("div", { class: "heading" }, badges(row), heading), this.facts(), before(row) || "",
      this.failures(), this.timelinePlace, this.more());
    heading.focus();
    window.scrollTo(0, 0);
  }

  facts() {
    const { row, detail } = this;
    const list = el("dl", { class: "summary" });
    const fact = (name, text) => {
      if (text) list.append(el("div", {}, el("dt", { text: name }), el("dd", { text })));
    };
    fact("place", row.l ? `${row.p}:${row.l}` : row.p);
    fact("reason", row.o === "skipped" ? row.m : "");
    fact("assertions", row.a && row.a[1] ? `${row.a[0]} of ${row.a[1]} held` : "");
    fact("events", row.e ? String(row.e) : "");
    fact("virtual time", row.v === undefined ? "" : duration(row.v));
    fact("real time", row.w === undefined ? "" : duration(rounded(row.w)));
    fact("seed", row.s);
    fact("tags", (row.g || []).join(", "));
    fact("row", detail.rowPlace);
    return list;
  }

  failures() {
    const { row, detail } = this;
    const cards = (detail.pages || []).map((text, index) =>
      failureCard(row, (detail.failures || [])[index], text, index, detail.timeline ? this : null));
    (detail.tryPages || []).forEach((text, index) => cards.push(
      el("h3", { text: `Try ${index + 1} failed` }),
      failureCard(row, detail.tries[index][0], text, 0, detail.timeline ? this : null)));
    (detail.warningPages || []).forEach((text, index) =>
      cards.push(failureCard(row, detail.warnings[index], text, index, null)));
    return cards.length ? el("section", { class: "failures", "aria-label": "Failures" }, cards)
      : el("div", {});
  }

  /* The results of the last runs, the newest first. */
  history() {
    const { past } = overview.head || {};
    if (!this.row.h) return [];
    const lines = this.row.h.map((end) => [runName(past[end.r]), words[end.o],
      end.w === undefined ? "" : duration(rounded(end.w))]).reverse();
    return el("details", { open: true },
      el("summary", { text: `The last ${counted(lines.length, "run")}` }),
      table("Last runs", ["run", "verdict", "real time"], lines));
  }

  /* What the scenario left open, never used, and the faults that struck. */
  more() {
    const { detail } = this;
    const lists = [
      ["Never exercised", (detail.neverExercised || []).map((one) =>
        `${one.part} (line ${one.line})`)],
      ["Still open at the end", (detail.leftOpen || []).map((one) =>
        `${one.kind} ${one.name} at ${one.endpoint}, ${one.state}`)],
      ["Faults", (detail.faults || []).map((one) =>
        `${one.kind} at ${one.endpoint}, connection ${one.connection}${
          one.microseconds === undefined ? "" : `, ${duration(one.microseconds)}`}`)],
    ].filter(([, items]) => items.length);
    return el("section", { "aria-label": "More" }, this.history(), lists.map(([title, items]) =>
      el("details", {}, el("summary", { text: `${title} (${items.length})` }),
        el("ul", {}, items.slice(0, 200).map((text) => el("li", { text }))))));
  }

  async open(number) {
    const { row, detail } = this;
    if (!row.n && !detail.lines) {
      const repeat = `rehearse run '${row.p}:${row.l}' --format html=report.html ` +
        "--html-events all";
      this.timelinePlace.append(row.l ? el("p", { class: "note" },
        "The timeline of this run was not kept. ", el("code", { text: repeat }), " ",
        copyButton(repeat, "command")) : "");
      return;
    }
    const reading = el("p", { role: "status", text: "Reading the events…" });
    this.timelinePlace.replaceChildren(reading);
    const events = detail.lines || await readEvents(`piece${row.index}`, row.n, (done, all) => {
      if (all > 1) reading.textContent = `Reading the events… ${done} of ${all}`;
    });
    const swept = await expandJSON(`courses${row.index}`);
    if (!this.timelinePlace.isConnected) return;
    this.timeline = new Timeline(detail.timeline, events);
    if (swept) this.sweep = new SweepView(this, swept.courses);
    this.build();
    const wanted = number ? this.timeline.byNumber.get(Number(number)) : null;
    this.select(wanted && wanted.lane !== undefined ? wanted : this.firstWorry(), false, true);
  }

  /* The event that a failure is about, as its facts name it. */
  eventOf(failure) {
    for (const fact of failure ? failure.facts : []) {
      const found = /\bevent (\d+), at/.exec(fact.text);
      const event = found && this.timeline.byEvent.get(Number(found[1]));
      if (event && event.lane !== undefined) return event;
    }
    return null;
  }

  firstWorry() {
    const { shown } = this.timeline;
    if (this.sweep && this.sweep.heat.length) {
      const worst = this.sweep.heat.filter((one) => one.look === "bad");
      return (worst[0] || this.sweep.heat[0]).event;
    }
    const tried = (this.detail.tries || [])[0] || [];
    return this.eventOf((this.detail.failures || [])[0] || tried[0])
      || shown.find((event) => event.kind === "assertion" && event.value.held === false)
      || shown.find((event) => event.kind === "failure" || event.kind === "problem")
      || shown[0] || null;
  }

  build() {
    const { timeline } = this;
    this.picture = new TimelineCanvas(timeline, (event) => this.select(event),
      (event) => this.hover(event));
    if (this.sweep) this.picture.heat = this.sweep.heat;
    const last = Math.max(0, timeline.shown.length - 1);
    this.slider = el("input", { type: "range", min: 0, max: last, step: 1, id: "slider",
      input: () => this.select(timeline.shown[Number(this.slider.value)]) });
    this.now = el("output", { for: "slider", class: "now" });
    this.steps = stepList(timeline, this);
    this.event = el("div", { class: "panel" });
    this.state = el("div", {});
    this.graph = el("div", {});
    const leftOut = timeline.facts.leftOut;
    const isGraph = graphNodes(timeline).length > 0;
    const tableHolder = el("details", { toggle: () => {
      if (!tableHolder.open || this.table) return;
      this.table = eventTable(timeline, this);
      tableHolder.append(this.table);
    } }, el("summary", {
      text: `The ${timeline.shown.length} events of the timeline as a table` }));
    this.timelinePlace.replaceChildren(
      el("h3", { text: this.sweep ? "Timeline without a disturbance" : "Timeline" }),
      this.toolbar(), this.picture.element,
      el("div", { class: "slide" }, el("label", { for: "slider", text: "Event" }), this.slider,
        this.now),
      this.sweep ? this.sweep.element : "",
      leftOut ? el("p", { class: "note", text: `${leftOut} events in the middle were not kept.` })
        : "",
      el("div", { class: "columns" },
        el("section", { class: "panel", "aria-label": "Steps" }, el("h3", { text: "Steps" }),
          this.steps.element),
        this.event),
      el("details", { open: true }, el("summary", { text: "Values at this event" }), this.state),
      isGraph ? el("details", { open: true }, el("summary", { text: "State graph" }), this.graph)
        : "",
      timeline.exchanges.length ? el("details", {}, el("summary", {
        text: `Network by step (${timeline.exchanges.length})` }),
        networkList(timeline, this)) : "",
      tableHolder);
  }

  toolbar() {
    const { timeline } = this;
    const picture = () => this.picture;
    const scale = el("select", { id: "scale", change: () => {
      picture().blend = Number(scale.value);
      picture().place();
      picture().draw();
    } }, [["0.5", "time and order"], ["1", "time only"], ["0", "order only"]]
      .map(([value, text]) => el("option", { value, text })));
    const clock = button("Clock", () => {
      picture().clock = !picture().clock;
      clock.setAttribute("aria-pressed", String(picture().clock));
      picture().draw();
    }, { "aria-pressed": "false", title: "Show the time of day on the axis" });
    const failures = timeline.shown.filter((event) => event.kind === "failure"
      || (event.kind === "assertion" && event.value.held === false));
    return el("div", { class: "toolbar" },
      button("‹", () => picture().move(-1), { "aria-label": "Previous event" }),
      button("›", () => picture().move(1), { "aria-label": "Next event" }),
      button("Cause", () => picture().moveToCause(), { id: "cause" }),
      failures.length ? button("Next failure", () => this.select(failures.find((event) =>
        event.index > (this.selected ? this.selected.index : -1)) || failures[0])) : null,
      button("−", () => picture().zoom(2, this.selected?.x), { "aria-label": "Zoom out" }),
      button("+", () => picture().zoom(0.5, this.selected?.x), { "aria-label": "Zoom in" }),
      button("All", () => picture().fit(), { "aria-label": "Show the whole run" }),
      el("label", { for: "scale", text: "Axis" }), scale, timeline.facts.clock ? clock : null,
      button("Copy link", () => copy(location.href, "link")));
  }

  select(event, scrolls, isFirst) {
    if (!event || event === this.selected) return;
    const { timeline } = this;
    this.selected = event;
    this.picture.select(event);
    this.slider.value = event.place || 0;
    const text = `${nameOf(event)}, ${duration(event.us)}, ${event.laneName}: ${
      eventText(event)}`;
    this.slider.setAttribute("aria-valuetext", shortText(text, 200));
    this.now.textContent = `${numberOf(event)} · ${duration(event.us)}`;
    const step = timeline.stepOf(event);
    this.steps.mark(step ? step.index : -1);
    this.event.replaceChildren(eventDetail(timeline, event, this));
    if (this.sweep) this.sweep.show(event);
    this.state.replaceChildren(stateTable(timeline, event, this));
    const graph = stateGraph(timeline, event, this);
    if (graph) this.graph.replaceChildren(graph);
    if (this.table) this.table.go(event);
    $("cause").disabled = !timeline.cause(event);
    if (!isFirst) {
      history.replaceState(null, "", fragment({ s: rowKey(this.row), e: event.n }));
    }
    if (scrolls) this.timelinePlace.scrollIntoView();
  }

  hover(event) {
    this.picture.show(event && event.lane !== undefined ? event : null);
    const step = event ? this.timeline.stepOf(event) : null;
    this.steps.hover(step ? step.index : -1);
  }

  /* Shows the event with the number of the log. */
  selectEvent(number) {
    const event = this.timeline && this.timeline.byEvent.get(number);
    if (!event || event.lane === undefined) return say(`Event ${number} is not on the timeline`);
    this.select(event, true);
  }

  selectFailure(failure, number) {
    const course = ["shortest", "disturbed"].map((name) =>
      failure.notes.find((note) => note.name === name)).find(Boolean);
    if (this.sweep && course) return this.sweep.openNamed(course.text);
    const label = (failure.labels || [])[0];
    const place = label ? `${label.path}:${label.line}:${label.column}` : "";
    const failed = this.timeline.shown.filter((event) => event.kind === "assertion"
      && event.value.held === false && event.at === place);
    const alike = this.timeline.shown.filter((event) => event.kind === "failure"
      && event.value.id === failure.id && event.value.message === failure.message);
    this.select(this.eventOf(failure) || failed[0] || alike[number] || alike[0]
      || this.firstWorry(), true);
    this.timelinePlace.scrollIntoView();
  }
}

let openView = null;

async function route() {
  const parts = readFragment();
  if (!parts.s) {
    openView = null;
    return showOverview();
  }
  if (openView && rowKey(openView.row) === parts.s) {
    const event = openView.timeline && openView.timeline.byNumber.get(Number(parts.e));
    return event ? openView.select(event) : undefined;
  }
  const row = overview.byKey.get(parts.s);
  if (!row) {
    if (!overview.complete) return undefined;
    location.hash = "";
    say("This report does not have the scenario of the link");
    return showOverview();
  }
  overview.last = parts.s;
  const detail = row.d ? (await expandJSON(`details${row.d[0]}`))[row.d[1]] : null;
  openView = new ScenarioView(row, detail);
  openView.show();
  return openView.open(parts.e);
}

addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select");
  if (event.key === "Escape" && readFragment().s && !isTyping) {
    location.hash = fragment(choices());
  }
});
document.addEventListener("DOMContentLoaded", async () => {
  await route();
  await readRows(() => {
    if (readFragment().s) { if (!openView) route(); } else rowsChanged();
  });
  document.documentElement.dataset.ready = "yes";
});
