/* The lists beside a timeline: steps, exchanges of the network, and the table of all events. */

const listRow = 30;

/* A list of which only the rows in view are elements. */
class LongList {
  constructor(items, make, label) {
    Object.assign(this, { items, make });
    this.list = el("ol", { class: "long" });
    this.list.setAttribute("aria-label", label);
    this.list.style.height = `${items.length * listRow}px`;
    this.element = el("div", { class: "scroll", tabindex: "0", role: "region",
      "aria-label": label, scroll: () => this.draw() }, this.list);
    this.marked = -1;
    this.hovered = -1;
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  draw() {
    const from = Math.max(0, Math.floor(this.element.scrollTop / listRow) - 8);
    const to = Math.min(this.items.length,
      from + Math.ceil((this.element.clientHeight || 400) / listRow) + 16);
    const rows = [];
    for (let index = from; index < to; index++) {
      const row = el("li", { "aria-posinset": index + 1, "aria-setsize": this.items.length,
        class: `${index === this.marked ? "marked " : ""}${
          index === this.hovered ? "hovered" : ""}` },
        this.make(this.items[index], index === this.marked));
      row.style.top = `${index * listRow}px`;
      rows.push(row);
    }
    const focused = this.list.contains(document.activeElement)
      ? document.activeElement.dataset.n : undefined;
    this.list.replaceChildren(...rows);
    if (focused !== undefined) {
      const again = this.list.querySelector(`[data-n="${CSS.escape(focused)}"]`);
      if (again) again.focus({ preventScroll: true });
    }
  }

  mark(index) {
    this.marked = index;
    const top = index * listRow;
    const { scrollTop, clientHeight } = this.element;
    if (index >= 0 && (top < scrollTop || top > scrollTop + clientHeight - 2 * listRow)) {
      this.element.scrollTop = top - clientHeight / 3;
    }
    this.draw();
  }
  hover(index) {
    if (this.hovered === index) return;
    this.hovered = index;
    this.draw();
  }
}

function stepList(timeline, view) {
  return new LongList(timeline.steps, (step, isMarked) => {
    const held = step.span ? step.span.held : undefined;
    const isAssertion = step.event.kind === "read" || step.span;
    const sign = !isAssertion ? "▸" : held === true ? "✓" : held === false ? "✕" : "…";
    const state = !isAssertion ? "" : held === true ? "held" : held === false ? "did not hold"
      : "undecided";
    const turns = step.event.value.turns;
    const branch = step.event.value.branch;
    return el("button", {
      type: "button", class: `step ${state.replaceAll(" ", "-")}`, "data-n": step.event.n,
      "aria-current": isMarked ? "step" : false, title: step.event.at || "",
      click: () => view.select(step.event),
      pointerenter: () => view.hover(step.event), pointerleave: () => view.hover(null),
    },
      el("span", { class: "sign", "aria-hidden": "true", text: sign }),
      el("span", { class: "code", text: step.text || step.event.value.verb }),
      turns ? el("span", { class: "note", text: `turn ${turns.join(".")}` }) : null,
      branch ? el("span", { class: "note", text: `branch ${branch}` }) : null,
      state ? el("span", { class: "offscreen", text: state }) : null,
      el("span", { class: "time", text: duration(step.event.us) }));
  }, "List of steps");
}

/* The exchanges, below the steps that led to them. */
function networkList(timeline, view) {
  const groups = new Map();
  for (const exchange of timeline.exchanges) {
    const step = timeline.stepOf(exchange.request);
    if (!groups.has(step)) groups.set(step, []);
    groups.get(step).push(exchange);
  }
  let room = 500;
  const parts = [];
  for (const [step, exchanges] of groups) {
    if (room <= 0) break;
    parts.push(el("h4", { class: "code", text: step ? step.text || step.event.value.verb
      : "before the first step" }));
    parts.push(el("ul", { class: "exchanges" }, exchanges.slice(0, room)
      .map((exchange) => el("li", {}, exchangeButton(exchange, view)))));
    room -= exchanges.length;
  }
  if (room < 0) parts.push(el("p", { text: `and ${-room} more; the table has all of them` }));
  return el("div", {}, parts);
}

function exchangeButton(exchange, view) {
  const { request, answer, parts } = exchange;
  const status = answer ? answer.value.status : null;
  const took = answer ? duration(answer.us - request.us) : "";
  return el("button", { type: "button", class: "exchange", click: () => view.select(request),
    pointerenter: () => view.hover(request), pointerleave: () => view.hover(null) },
    el("span", { class: "time", text: duration(request.us) }),
    el("span", { class: "code", text: `${request.value.method} ${request.value.path}` }),
    el("span", { class: "note", text: request.source }),
    el("span", { class: `status ${view.timeline.lookOf(exchange)}`,
      text: status === null ? "no answer" : String(status) }),
    el("span", { class: "note", text: took && `after ${took}` }),
    parts.length ? el("span", { class: "note", text: `${parts.length} messages` }) : null);
}

const tableRows = 200;
const columns = ["Event", "Time", "Clock", "Source", "Kind", "What", "Cause"];

/* All events as a table, a page at a time. */
function eventTable(timeline, view) {
  const holder = el("div", {});
  let page = 0;
  const pages = Math.max(1, Math.ceil(timeline.shown.length / tableRows));
  const draw = () => {
    const events = timeline.shown.slice(page * tableRows, (page + 1) * tableRows);
    const turn = (text, by) => button(text, () => { page += by; draw(); },
      { disabled: page + by < 0 || page + by >= pages });
    holder.replaceChildren(
      el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Events" },
        el("table", { class: "events" },
          el("caption", { text: `Events, page ${page + 1} of ${pages}` }),
          el("thead", {}, el("tr", {}, columns
            .map((text) => el("th", { scope: "col", text })))),
          el("tbody", {}, events.map((event) => tableRow(timeline, event, view))))),
      pages > 1 ? el("p", { class: "turn" }, turn("Earlier", -1), turn("Later", 1)) : "");
  };
  draw();
  holder.go = (event) => {
    const wanted = Math.floor((event.place || 0) / tableRows);
    if (wanted !== page) { page = wanted; draw(); }
  };
  return holder;
}

function tableRow(timeline, event, view) {
  const cause = timeline.cause(event);
  const link = (one) => button(numberOf(one), () => view.select(one, true),
    { class: "link", "aria-label": nameOf(one) });
  return el("tr", {}, el("th", { scope: "row" }, link(event)),
    el("td", { text: duration(event.us) }),
    el("td", { class: "nowrap", text: timeline.clockText(event.us) }),
    el("td", { text: event.laneName }), el("td", { text: event.kind || "emitted" }),
    el("td", { class: "code", text: eventText(event) }),
    el("td", {}, cause ? link(cause) : null));
}
