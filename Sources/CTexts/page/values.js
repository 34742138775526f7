/* What is known at the chosen event: the event itself, the values of all sources, and the state
   graph as a picture. */

const mostLinks = 20;

function eventDetail(timeline, event, view) {
  const cause = timeline.cause(event);
  const previous = timeline.shown[(event.place || 0) - 1];
  const facts = el("dl", { class: "event-facts" });
  const fact = (name, ...content) => {
    const kept = content.filter(Boolean);
    if (kept.length) facts.append(el("div", {}, el("dt", { text: name }), el("dd", {}, kept)));
  };
  fact("time", duration(event.us),
    previous && event.us > previous.us ? `, ${duration(event.us - previous.us)} later` : "");
  fact("clock", timeline.clockText(event.us));
  fact("source", event.source || "");
  fact("connection", event.connection === undefined ? "" : String(event.connection));
  fact("place", event.at || "");
  fact("after its cause", cause && event.us > cause.us ? duration(event.us - cause.us) : "");
  return el("div", { class: "event" },
    el("h3", {}, coded(`${nameOf(event)}: ${eventText(event)}`)), facts,
    stepSource(timeline, event),
    eventLinks(timeline.causes(event), "Caused by", view),
    eventLinks(timeline.effects.get(event) || [], "Led to", view),
    event.exchange ? exchangeDetail(event.exchange, event) : null,
    event.exchange && (event === event.exchange.request || event === event.exchange.answer)
      ? null : valueDetail(timeline, event));
}

/* The whole source of a step that has several lines. */
function stepSource(timeline, event) {
  const text = event.step || event.kind === "assertion" ? timeline.sourceOf(event.at) : "";
  return text.includes("\n") ? block(text, "step") : null;
}

function eventLinks(events, title, view) {
  if (!events.length) return null;
  const links = events.slice(0, mostLinks).map((event) => el("li", {},
    el("button", { type: "button", class: "link", click: () => view.select(event),
      pointerenter: () => view.hover(event), pointerleave: () => view.hover(null),
      text: `${numberOf(event)}: ${shortText(eventText(event), 80)}` })));
  const rest = events.length - links.length;
  return el("div", { class: "links" }, el("h4", { text: title }), el("ul", {}, links,
    rest > 0 ? el("li", { text: `and ${rest} more` }) : null));
}

function exchangeDetail({ request, answer }, event) {
  const part = (title, one) => {
    const value = one.value || {};
    const lines = Object.entries(value.headers || {}).map(([name, text]) =>
      `${name}: ${Array.isArray(text) ? text.join(", ") : text}`);
    const query = value.query ? "?" + Object.entries(value.query)
      .map(([name, text]) => `${name}=${text}`).join("&") : "";
    const head = value.method ? `${value.method} ${value.target || value.path + query}`
      : `${value.status}`;
    const body = value.body === undefined ? "" : "\n\n" + longText(value.body);
    return el("div", {}, el("h4", { text: `${title}, ${duration(one.us)}` }),
      block([head, ...lines].join("\n") + body, title.toLowerCase()));
  };
  return el("div", { class: event === request || event === answer ? "pair" : "pair aside" },
    part("Request", request),
    answer ? part("Answer", answer) : el("div", {}, el("h4", { text: "No answer" })));
}

/* A text that scrolls, with a button that copies it. */
function block(text, name, content) {
  return el("div", { class: "block" },
    el("pre", { tabindex: "0", role: "group", "aria-label": name }, content || text),
    copyButton(text, name));
}

function valueDetail(timeline, event) {
  if (event.value === undefined) return null;
  const text = longText(event.value);
  if (event.kind === "failure") return failureDetail(event.value);
  if (event.kind === "assertion") {
    return event.value.held ? null : assertionDetail(timeline, event);
  }
  if (event.kind === "read") return readDetail(timeline, event);
  if (event.kind !== undefined && event.kind !== "emitted") {
    return el("div", {}, el("h4", { text: "Value" }), block(text, "value"));
  }
  const { before } = timeline.valueAt(timeline.lanes[event.lane], event.index);
  if (!before || before.value === undefined) {
    return el("div", {}, el("h4", { text: "Value" }), block(text, "value"));
  }
  return el("div", {}, el("h4", { text: `Value, compared with event ${numberOf(before)}` }),
    block(text, "value", lineDifference(longText(before.value), text)));
}

/* What a step looked at: the requests of an exchange with their answers, or values. */
function readDetail(timeline, event) {
  const { exchange, values, message, error } = event.value;
  const sent = (part) => (typeof part === "number" ? timeline.byNumber.get(part) : part
    && { us: event.us, value: part });
  if (exchange) {
    return el("div", {}, exchange.hops.filter((hop) => sent(hop.request)).map((hop) =>
      exchangeDetail({ request: sent(hop.request), answer: sent(hop.response) }, event)));
  }
  const value = [message, error, values].find((one) => one !== undefined && one !== null);
  if (value === undefined || (Array.isArray(value) && !value.length)) return null;
  return el("div", {}, el("h4", { text: "Values" }), block(longText(value), "values"));
}

/* The failure of an assertion: that with its number among those that did not hold. */
function assertionDetail(timeline, event) {
  const lost = timeline.events.filter((one) => one.kind === "assertion" && !one.value.held);
  const failures = timeline.events.filter((one) => one.kind === "failure");
  const failure = (failures[lost.indexOf(event)] || failures[0] || {}).value;
  return failure ? el("div", {}, el("p", { class: "message" }, coded(failure.message)),
    failureDetail(failure)) : null;
}

function failureDetail(failure) {
  const rows = (failure.differences || []).slice(0, 200).map((one) => el("tr", {},
    el("th", { scope: "row", class: "code", text: one.path || "the value" }),
    el("td", { class: "code removed",
      text: "actual" in one ? shortText(one.actual, 2000) : "—" }),
    el("td", { class: "code added",
      text: "expected" in one ? shortText(one.expected, 2000) : "—" })));
  if (!rows.length) return null;
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Differences" },
    el("table", { class: "differences" },
      el("thead", {}, el("tr", {}, ["Part", "Actual", "Expected"]
        .map((text) => el("th", { scope: "col", text })))), el("tbody", {}, rows)));
}

const mostCompared = 400;

/* The lines of two texts: those that went with a minus, those that came with a plus. */
function lineDifference(old, text) {
  const [a, b] = [old.split("\n"), text.split("\n")];
  if (a.length > mostCompared || b.length > mostCompared) return [text];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1
        : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines = [];
  const add = (kind, sign, line) => lines.push(el(kind, { text: `${sign} ${line}\n` }));
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add("span", " ", a[i]);
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1])) {
      add("del", "-", a[i++]);
    } else add("ins", "+", b[j++]);
  }
  return lines;
}

/* The last value of every source at an event. */
function stateTable(timeline, event, view) {
  const rows = timeline.sourceLanes.slice(0, 300).map((lane) => {
    const { event: last, before } = timeline.valueAt(lane, event.index);
    const isNew = last === event;
    const text = last ? (last.kind === "finished" ? eventText(last) : shortText(last.value, 300))
      : "—";
    return el("tr", { class: isNew ? "changed" : "" },
      el("th", { scope: "row", class: "code", text: lane.name }),
      el("td", { class: "code" }, isNew && before
        ? [el("del", { text: shortText(before.value, 120) }), " → ", el("ins", { text })]
        : text),
      el("td", {}, last ? button(numberOf(last), () => view.select(last),
        { class: "link", "aria-label": `${nameOf(last)}, which set ${lane.name}` }) : null));
  });
  if (!rows.length) return el("p", { text: "No source has emitted a value." });
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Values" },
    el("table", { class: "state" },
      el("thead", {}, el("tr", {}, ["Source", "Value", "Set by"]
        .map((text) => el("th", { scope: "col", text })))), el("tbody", {}, rows)));
}

const mostNodes = 120;
const nodeSize = { width: 176, height: 42, gapX: 56, gapY: 14 };

/* The nodes and streams that read others, and what they read, in layers from left to right. */
function graphNodes(timeline) {
  const sources = timeline.facts.sources || [];
  const byName = new Map(sources.map((source) => [source.name, source]));
  const kept = new Set();
  for (const source of sources) {
    if (["stored", "computed", "latest", "model"].includes(source.kind)) kept.add(source.name);
    if (!source.inputs) continue;
    kept.add(source.name);
    for (const input of source.inputs) if (byName.has(input)) kept.add(input);
  }
  const depths = new Map();
  const depth = (name, path) => {
    if (depths.has(name) || path.has(name)) return depths.get(name) || 0;
    path.add(name);
    const inputs = (byName.get(name).inputs || []).filter((input) => byName.has(input));
    const found = inputs.length ? 1 + Math.max(...inputs.map((input) => depth(input, path))) : 0;
    depths.set(name, found);
    return found;
  };
  const layers = [];
  for (const name of kept) {
    const layer = depth(name, new Set());
    (layers[layer] = layers[layer] || []).push(byName.get(name));
  }
  return layers.map((layer) => layer || []);
}

function stateGraph(timeline, event, view) {
  const layers = graphNodes(timeline);
  const count = layers.reduce((sum, layer) => sum + layer.length, 0);
  if (count === 0) return null;
  if (count > mostNodes) return el("p", { text: `${count} nodes are too many for a picture.` });
  const { width, height, gapX, gapY } = nodeSize;
  const places = new Map();
  layers.forEach((layer, column) => layer.forEach((node, row) => places.set(node.name,
    { x: 8 + column * (width + gapX), y: 8 + row * (height + gapY), node })));
  const full = [layers.length * (width + gapX) - gapX + 16,
    Math.max(...layers.map((layer) => layer.length)) * (height + gapY) - gapY + 16];
  const picture = svg("svg", { class: "graph", width: full[0], height: full[1], role: "img",
    viewBox: `0 0 ${full[0]} ${full[1]}`,
    "aria-label": `State graph with ${count} nodes. The table of values has the same values.` });
  for (const { x, y, node } of places.values()) {
    for (const input of node.inputs || []) {
      const from = places.get(input);
      if (!from) continue;
      const [x0, y0, y1] = [from.x + width, from.y + height / 2, y + height / 2];
      picture.append(svg("path", { class: "edge",
        d: `M${x0},${y0}C${x0 + gapX / 2},${y0} ${x - gapX / 2},${y1} ${x - 2},${y1}` }));
    }
  }
  const lanes = new Map(timeline.lanes.map((lane) => [lane.name, lane]));
  for (const { x, y, node } of places.values()) {
    const lane = lanes.get(node.name);
    const last = lane ? timeline.valueAt(lane, event.index).event : null;
    picture.append(graphNode(node, last, event, x, y, view));
  }
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "State graph" },
    picture);
}

function graphNode(node, last, event, x, y, view) {
  const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  const label = (dy, kind, text) => {
    const made = svg("text", { x: x + 10, y: y + dy, class: kind });
    made.textContent = text;
    return made;
  };
  const title = svg("title");
  title.textContent = `${node.name} (${node.kind})`;
  return svg("g", { class: `node ${node.kind}${last && last === event ? " changed" : ""}`,
    click: () => last && view.select(last) }, title,
    svg("rect", { x, y, width: nodeSize.width, height: nodeSize.height, rx: 8 }),
    label(17, "name", cut(node.name, 24)),
    label(33, "value", last ? cut(shortText(last.value, 40), 21) : "—"));
}
