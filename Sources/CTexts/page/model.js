/* The model of a timeline: events with their lanes, causes, spans, exchanges and values. */

const hiddenKinds = new Set(["idle", "verdict", "ignored", "log", "phase", "branch", "now"]);
const stepLane = "steps";

/* Reads the pieces of a timeline, one at a time. */
async function readEvents(name, count, show) {
  const events = [];
  for (let piece = 0; piece < count; piece++) {
    const text = (await expand(`${name}-${piece}`)) || "";
    for (const line of text.split("\n")) if (line) events.push(JSON.parse(line));
    show(piece + 1, count);
    await pause();
  }
  return events;
}

class Timeline {
  constructor(facts, events) {
    this.facts = facts || {};
    this.events = events;
    this.byNumber = new Map();
    this.effects = new Map();
    this.duration = 0;
    events.forEach((event, index) => {
      event.index = index;
      event.us = event.us || 0;
      this.byNumber.set(event.n, event);
      this.duration = Math.max(this.duration, event.us);
    });
    for (const event of events) {
      const cause = this.cause(event);
      if (!cause) continue;
      if (!this.effects.has(cause)) this.effects.set(cause, []);
      this.effects.get(cause).push(event);
    }
    this.nameEvents();
    this.findLanes();
    for (const [cause, found] of this.effects) {
      this.effects.set(cause, found.filter((event) => event.lane !== undefined));
    }
    this.findSpans();
    this.findExchanges();
    this.shown = events.filter((event) => event.lane !== undefined);
    this.shown.forEach((event, place) => { event.place = place; });
  }

  /* Lines of events have their numbers; a later line names those that came before it. */
  nameEvents() {
    this.byEvent = new Map();
    for (const line of this.events) {
      if (line.event === undefined) continue;
      const meant = line.kind === "log" ? this.byNumber.get(line.cause) : line;
      if (!meant) continue;
      meant.event = line.event;
      this.byEvent.set(line.event, meant);
    }
  }

  cause(event) {
    return event.cause === undefined ? null : this.byNumber.get(event.cause) || null;
  }

  /* The causes of an event, nearest first. */
  causes(event) {
    const found = [];
    const seen = new Set([event]);
    for (let next = this.cause(event); next && !seen.has(next); next = this.cause(next)) {
      found.push(next);
      seen.add(next);
    }
    return found;
  }

  laneName(event) {
    if (event.kind === "failure" || event.kind === "problem") return event.source || stepLane;
    if (hiddenKinds.has(event.kind) || event.kind === "pending") return null;
    if (event.kind === "network" && !event.source) return "network";
    if (event.source) return event.source;
    if (event.kind === "step" || event.kind === "read" || event.kind === "assertion") {
      const branch = event.value && event.value.branch;
      return branch ? `${stepLane} of branch ${branch}` : stepLane;
    }
    return stepLane;
  }

  findLanes() {
    const kinds = new Map((this.facts.sources || []).map((source) => [source.name, source.kind]));
    const found = new Map();
    for (const event of this.events) {
      const name = this.laneName(event);
      if (name === null) continue;
      const kind = kinds.get(name) || "steps";
      if (!found.has(name)) found.set(name, { name, kind, events: [] });
      event.laneName = name;
      found.get(name).events.push(event);
    }
    const order = ["steps", "program", "endpoint", "network", "connection", "events", "stream",
      "source", "stored", "model", "latest", "computed"];
    const rank = (lane) => (lane.name === stepLane ? -1 : order.indexOf(lane.kind));
    const lanes = [...found.values()].sort((one, other) => rank(one) - rank(other));
    this.lanes = lanes.slice(0, 200);
    if (lanes.length > 200) {
      const rest = { name: "other sources", kind: "source", events: [] };
      for (const lane of lanes.slice(200)) rest.events.push(...lane.events);
      rest.events.sort((one, other) => one.index - other.index);
      this.lanes.push(rest);
    }
    this.lanes.forEach((lane, index) => { for (const event of lane.events) event.lane = index; });
    this.sourceLanes = this.lanes.filter((lane) =>
      lane.events.some((event) => event.kind === "emitted" || event.kind === undefined));
  }

  /* The spans of assertions, from where they open to where they are decided. */
  findSpans() {
    const open = new Map();
    this.spans = [];
    this.steps = [];
    for (const event of this.events) {
      if (event.kind === "step") this.addStep(event);
      const key = `${event.at}|${event.value && event.value.branch}|${
        event.value && (event.value.turns || "")}`;
      if (event.kind === "read" && event.value && event.value.verb && event.at) {
        if (!open.has(key)) open.set(key, { from: event, step: this.stepReadBy(event) });
      } else if (event.kind === "assertion" && open.has(key)) {
        const span = open.get(key);
        open.delete(key);
        span.to = event;
        span.held = event.value.held;
        span.step.span = span;
        this.spans.push(span);
      }
    }
    for (const span of open.values()) this.spans.push({ ...span, to: null, held: null });
  }

  /* A step that acts and asserts, such as a request, is one step. */
  stepReadBy(event) {
    const last = this.steps[this.steps.length - 1];
    if (!last || last.span || last.event.kind !== "step" || last.event.at !== event.at) {
      return this.addStep(event);
    }
    event.step = last;
    return last;
  }

  addStep(event) {
    const step = { event, index: this.steps.length, span: null, text: this.lineOf(event.at) };
    event.step = step;
    this.steps.push(step);
    return step;
  }

  /* The source of the step at a place, which may have several lines. */
  sourceOf(at) {
    const [, line, column] = /^(.*):(\d+)$/.exec(at || "") || [];
    return ((this.facts.lines || {})[line] || "").split("\n")
      .map((text) => text.slice(column - 1)).join("\n");
  }
  lineOf(at) { return this.sourceOf(at).replace(/\s*\n\s*/g, " "); }

  /* The step that led to an event, or the one that ran last before it. */
  stepOf(event) {
    for (const one of [event, ...this.causes(event)]) if (one.step) return one.step;
    if (event.kind === "assertion") {
      const span = this.spans.find((span) => span.to === event);
      if (span) return span.step;
    }
    let [low, high] = [0, this.steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.steps[middle].event.index <= event.index) low = middle + 1; else high = middle;
    }
    return this.steps[low - 1] || null;
  }

  findExchanges() {
    this.exchanges = [];
    const byRequest = new Map();
    for (const event of this.events) {
      if (event.kind === "request") {
        const exchange = { request: event, answer: null, parts: [] };
        event.exchange = exchange;
        byRequest.set(event.n, exchange);
        this.exchanges.push(exchange);
      } else if (event.from && event.source) {
        const exchange = byRequest.get(event.cause) || this.lastExchange(event);
        if (!exchange) continue;
        event.exchange = exchange;
        if (!exchange.answer && ["response", "stream", "upgrade"].includes(event.kind)) {
          exchange.answer = event;
        } else exchange.parts.push(event);
      }
    }
  }

  /* Whether an answer is the one that was wanted: an expected 412 is as good as a 200. */
  lookOf(exchange) {
    if (!exchange.answer) return "open";
    const step = this.stepOf(exchange.request);
    const asked = step && step.event.value.verb === "request" && step.span ? step.span.held : null;
    if (asked === false) return "bad";
    return asked || exchange.answer.value.status < 400 ? "good" : "doubt";
  }

  lastExchange(event) {
    for (let at = this.exchanges.length - 1; at >= 0; at--) {
      const request = this.exchanges[at].request;
      if (request.source === event.source && request.connection === event.connection) {
        return this.exchanges[at];
      }
    }
    return null;
  }

  /* The last event of a lane that set its value, up to an event; and the one before. */
  valueAt(lane, index) {
    let found = null;
    let before = null;
    let [low, high] = [0, lane.events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane.events[middle].index <= index) low = middle + 1; else high = middle;
    }
    for (let at = low - 1; at >= 0 && !before; at--) {
      const event = lane.events[at];
      if (event.kind !== "emitted" && event.kind !== undefined && event.kind !== "finished") {
        continue;
      }
      if (found) before = event; else found = event;
    }
    return { event: found, before };
  }

  /* The bands of faults and of conditions of the network. */
  get bands() {
    const bands = [];
    const open = new Map();
    for (const event of this.events) {
      if (event.kind === "fault") bands.push({ from: event, to: event, kind: "fault" });
      if (event.kind !== "network") continue;
      const source = event.source || "";
      if (open.has(source)) open.get(source).to = event;
      open.delete(source);
      if (!event.value || Object.keys(event.value).length === 0) continue;
      if (event.value.online === true && Object.keys(event.value).length === 1) continue;
      const band = { from: event, to: null, kind: "network" };
      open.set(source, band);
      bands.push(band);
    }
    return bands;
  }

  /* The time of day of an event, by the scenario's clock. */
  clockText(us) {
    const start = this.facts.clock ? Date.parse(this.facts.clock) : NaN;
    if (Number.isNaN(start)) return "";
    const time = new Date(start + us / 1000).toISOString();
    return time.slice(0, 23).replace("T", " ");
  }
}

/* The number that failures give an event; other lines count apart. */
const numberOf = (line) => (line.event === undefined ? `L${line.n}` : String(line.event));
const nameOf = (line) => (line.event === undefined ? `Line ${line.n}` : `Event ${line.event}`);

/* What a step has just done when its values were read. */
const reads = {
  opened: "began", checked: "was evaluated", attempted: "was tried", received: "got its message",
  exchanged: "got its answer", snapshot: "compared its snapshot",
};

/* What an event is, in a few words. */
function eventText(event) {
  const value = event.value;
  switch (event.kind) {
  case undefined: case "emitted": return `${event.source} = ${shortText(value)}`;
  case "request": return `→ ${value.method} ${value.path}${value.query ? " " +
    shortText(value.query, 60) : ""}`;
  case "response": case "stream": case "upgrade":
    return `← ${value.status}${event.kind === "response" ? "" : ` (${event.kind})`}`;
  case "step": return value.verb;
  case "read": return value.as === "invariants" ? "the invariants were evaluated"
    : `${value.verb} ${reads[value.as] || value.as}`;
  case "assertion": return `${value.verb} ${value.held ? "held" : "did not hold"}`;
  case "failure": return value.message;
  case "problem": return value && value.message ? value.message : shortText(value);
  case "finished": return value === null || value === undefined ? "finished"
    : `finished with ${shortText(value)}`;
  case "fault": return `fault: ${value.fault}`;
  default: return `${event.kind}${value === undefined ? "" : ` ${shortText(value)}`}`;
  }
}
