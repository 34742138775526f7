/* The picture of a timeline: lanes, marks, arrows and spans on a canvas.

   Only what is in view is drawn, and marks that would cover each other are drawn once, so that ten
   thousand events move smoothly. */

const laneHeight = 26;
const axisHeight = 26;

class TimelineCanvas {
  constructor(timeline, choose, hover) {
    Object.assign(this, { timeline, choose, hover, selected: null, hovered: null });
    this.blend = 0.5;
    this.view = [0, 1];
    this.clock = false;
    this.canvas = el("canvas", { role: "img" });
    this.canvas.setAttribute("aria-label",
      `Timeline of ${timeline.shown.length} events in ${timeline.lanes.length} lanes. ` +
      "The table and the slider below have the same events.");
    this.element = el("div", { class: "canvas", tabindex: "0", role: "group",
      "aria-label": "Timeline. Left and right move between events, up and down between lanes, " +
        "plus and minus zoom, C goes to the cause." }, this.canvas);
    this.place();
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /* Places events: a blend of their time and their order, since many share an instant. */
  place() {
    const { shown, duration: length } = this.timeline;
    const count = Math.max(1, shown.length);
    const weight = length === 0 ? 0 : this.blend;
    shown.forEach((event, index) => {
      const time = length === 0 ? 0 : event.us / length;
      event.x = weight * time + (1 - weight) * (index + 0.5) / count;
    });
    for (const event of shown) event.x = 0.012 + 0.976 * event.x;
  }

  get gutter() { return Math.min(170, Math.max(84, this.width * 0.2)); }
  toPixel(x) {
    return this.gutter + (x - this.view[0]) / (this.view[1] - this.view[0])
      * (this.width - this.gutter - 12);
  }
  fromPixel(pixel) {
    return this.view[0] + (pixel - this.gutter) / (this.width - this.gutter - 12)
      * (this.view[1] - this.view[0]);
  }
  laneY(lane) { return axisHeight + lane * laneHeight + laneHeight / 2; }

  resize() {
    this.width = Math.max(200, this.element.clientWidth);
    this.height = axisHeight + this.timeline.lanes.length * laneHeight + 6;
    const scale = Math.min(window.devicePixelRatio || 1, this.height > 4000 ? 1 : 2);
    this.canvas.width = this.width * scale;
    this.canvas.height = this.height * scale;
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.pen = this.canvas.getContext("2d");
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.draw();
  }

  setView(from, to) {
    const width = Math.min(1, Math.max(1e-6, to - from));
    const start = Math.min(1 - width, Math.max(0, from));
    this.view = [start, start + width];
    this.draw();
  }
  zoom(factor, around) {
    const center = around === undefined ? (this.view[0] + this.view[1]) / 2 : around;
    this.setView(center - (center - this.view[0]) * factor,
      center + (this.view[1] - center) * factor);
  }
  pan(share) {
    const width = this.view[1] - this.view[0];
    this.setView(this.view[0] + share * width, this.view[1] + share * width);
  }
  fit() { this.setView(0, 1); }

  select(event) {
    this.selected = event;
    const path = event ? [event, ...this.timeline.causes(event)] : [];
    this.path = new Set(path);
    if (event && event.x !== undefined && (event.x < this.view[0] || event.x > this.view[1])) {
      const width = this.view[1] - this.view[0];
      this.setView(event.x - width / 2, event.x + width / 2);
    } else this.draw();
    if (event && event.lane !== undefined) {
      const y = this.laneY(event.lane);
      const box = this.element;
      if (y < box.scrollTop + axisHeight || y > box.scrollTop + box.clientHeight - laneHeight) {
        box.scrollTop = y - box.clientHeight / 2;
      }
    }
  }
  show(hovered) {
    if (this.hovered === hovered) return;
    this.hovered = hovered;
    this.draw();
  }

  /* The events in view: those between two places of the sorted list. */
  inView() {
    const find = (x) => {
      let [low, high] = [0, this.timeline.shown.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.timeline.shown[middle].x < x) low = middle + 1; else high = middle;
      }
      return low;
    };
    return this.timeline.shown.slice(Math.max(0, find(this.view[0]) - 1), find(this.view[1]) + 1);
  }

  draw() {
    if (!this.pen || this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.paint();
    });
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(`--${name}`).trim();
    return {
      text: read("text"), faint: read("faint"), line: read("line"), back: read("card"),
      accent: read("accent"), good: read("good"), bad: read("bad"), doubt: read("doubt"),
      value: read("value"), wire: read("wire"), band: read("band"),
    };
  }

  paint() {
    const pen = this.pen;
    const ink = this.ink = this.colours();
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const events = this.inView();
    this.paintLanes(pen, ink);
    pen.save();
    pen.beginPath();
    pen.rect(this.gutter, 0, this.width - this.gutter, this.height);
    pen.clip();
    this.paintAxis(pen, ink);
    this.paintBands(pen, ink);
    this.paintSpans(pen, ink);
    this.paintArrows(pen, ink, events);
    this.paintHeat(pen, ink);
    this.paintMarks(pen, ink, events);
    this.paintCursor(pen, ink);
    pen.restore();
  }

  paintLanes(pen, ink) {
    this.timeline.lanes.forEach((lane, index) => {
      const y = this.laneY(index);
      pen.fillStyle = ink.line;
      pen.globalAlpha = 0.55;
      pen.fillRect(this.gutter, y, this.width, 1);
      pen.globalAlpha = 1;
      pen.fillStyle = index === (this.selected && this.selected.lane) ? ink.accent : ink.text;
      pen.fillText(this.fitted(pen, lane.name, this.gutter - 14), 6, y + 1);
    });
  }

  fitted(pen, text, width) {
    if (pen.measureText(text).width <= width) return text;
    let [low, high] = [1, text.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pen.measureText("…" + text.slice(-middle)).width <= width) low = middle;
      else high = middle - 1;
    }
    return "…" + text.slice(-low);
  }

  /* Ticks stand at the first event of their instant, or between two. */
  paintAxis(pen, ink) {
    const { shown } = this.timeline;
    pen.fillStyle = ink.faint;
    let last = -1e9;
    let lastTime = null;
    for (const event of this.inView()) {
      const x = this.toPixel(event.x);
      if (event.us === lastTime || x - last < 84) continue;
      lastTime = event.us;
      last = x;
      pen.globalAlpha = 0.5;
      pen.fillRect(x, axisHeight - 5, 1, this.height);
      pen.globalAlpha = 1;
      const text = this.clock ? this.timeline.clockText(event.us).slice(11) : duration(event.us);
      const room = this.width - x - 3;
      const width = pen.measureText(text).width;
      pen.fillText(text, width > room ? x - 3 - width : x + 3, axisHeight / 2);
    }
    if (shown.length === 0) pen.fillText("no events", this.gutter + 4, axisHeight / 2);
  }

  pixelOf(event) {
    if (event.x !== undefined) return this.toPixel(event.x);
    const next = this.timeline.shown.find((one) => one.index > event.index);
    return this.toPixel(next ? next.x : 1);
  }

  paintBands(pen, ink) {
    this.bands = this.bands || this.timeline.bands;
    for (const band of this.bands) {
      const from = this.pixelOf(band.from) - 5;
      const to = band.to ? this.pixelOf(band.to) + (band.kind === "fault" ? 5 : 0) : this.width;
      pen.fillStyle = band.kind === "fault" ? ink.doubt : ink.band;
      pen.globalAlpha = 0.16;
      pen.fillRect(from, axisHeight, Math.max(6, to - from), this.height);
      pen.globalAlpha = 1;
    }
  }

  paintSpans(pen, ink) {
    for (const span of this.timeline.spans) {
      if (span.from.lane === undefined) continue;
      const from = this.pixelOf(span.from);
      const to = span.to ? this.pixelOf(span.to) : this.width;
      if (to < this.gutter || from > this.width) continue;
      pen.fillStyle = span.held === true ? ink.good : span.held === false ? ink.bad : ink.faint;
      pen.globalAlpha = 0.28;
      pen.beginPath();
      const y = this.laneY(span.from.lane) - 8;
      pen.roundRect(from - 5, y, Math.max(10, to - from + 10), 16, 5);
      pen.fill();
      pen.globalAlpha = 1;
    }
  }

  /* Below a mark, how many courses of a sweep disturb it, and how the worst of them went. */
  paintHeat(pen, ink) {
    for (const { event, count, look } of this.heat || []) {
      const [x, y] = [this.toPixel(event.x), this.laneY(event.lane)];
      pen.fillStyle = ink[look];
      pen.globalAlpha = 0.3;
      pen.beginPath();
      pen.roundRect(x - 11, y - 12, 22, 24, 6);
      pen.fill();
      pen.globalAlpha = 1;
      pen.font = "600 9px system-ui, sans-serif";
      pen.fillText(String(count), x + 4, y - 7);
      pen.font = "12px system-ui, sans-serif";
    }
  }

  paintArrows(pen, ink, events) {
    const draws = (event) => this.path && this.path.has(event);
    if (events.length <= 400) {
      pen.globalAlpha = 0.35;
      for (const event of events) if (!draws(event)) this.arrow(pen, ink.faint, event, 1);
      pen.globalAlpha = 1;
    }
    if (!this.path) return;
    for (const event of this.path) this.arrow(pen, ink.accent, event, 2);
    for (const effect of this.timeline.effects.get(this.selected) || []) {
      this.arrow(pen, ink.value, effect, 1.5);
    }
  }

  arrow(pen, colour, event, width) {
    const cause = this.timeline.cause(event);
    if (!cause || cause.lane === undefined || event.lane === undefined) return;
    const [x0, y0] = [this.toPixel(cause.x), this.laneY(cause.lane)];
    const [x1, y1] = [this.toPixel(event.x), this.laneY(event.lane)];
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(x0, y0);
    const bend = Math.max(12, Math.abs(x1 - x0) / 2);
    pen.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 6, y1);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x1 - 5, y1);
    pen.lineTo(x1 - 10, y1 - 3.5);
    pen.lineTo(x1 - 10, y1 + 3.5);
    pen.fill();
  }

  paintMarks(pen, ink, events) {
    const taken = new Set();
    events.forEach((event) => {
      const x = this.toPixel(event.x);
      const key = event.lane * 1e5 + Math.round(x);
      const isChosen = event === this.selected || event === this.hovered;
      if (taken.has(key) && !isChosen && event.kind !== "failure") return;
      taken.add(key);
      this.mark(pen, ink, event, x, this.laneY(event.lane), events.length < 600);
      if (isChosen) {
        pen.strokeStyle = ink.accent;
        pen.lineWidth = 2;
        pen.beginPath();
        pen.arc(x, this.laneY(event.lane), 10, 0, 7);
        pen.stroke();
      }
    });
  }

  /* Each kind has a shape of its own, so that colour is not needed to tell them apart. */
  mark(pen, ink, event, x, y, isRoomy) {
    const shape = (colour, points) => {
      pen.fillStyle = colour;
      pen.beginPath();
      points.forEach(([dx, dy], at) => pen[at ? "lineTo" : "moveTo"](x + dx, y + dy));
      pen.fill();
    };
    const circle = (colour, radius) => {
      pen.fillStyle = colour;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 7);
      pen.fill();
    };
    const answer = { bad: ink.bad, doubt: ink.doubt }[
      event.exchange && this.timeline.lookOf(event.exchange)] || ink.wire;
    switch (event.kind) {
    case "failure": case "problem":
      return shape(ink.bad, [[0, -8], [8, 0], [0, 8], [-8, 0]]);
    case "step": return shape(ink.accent, [[-4, -5], [4, -5], [4, 5], [-4, 5]]);
    case "read": return circle(ink.faint, 3);
    case "assertion":
      return shape(event.value.held ? ink.good : ink.bad, [[-2, -8], [2, -8], [2, 8], [-2, 8]]);
    case "request": return shape(ink.wire, [[-5, -5], [6, 0], [-5, 5]]);
    case "response": case "stream": case "upgrade":
      return shape(answer, [[5, -5], [-6, 0], [5, 5]]);
    case "fault": case "drop": case "reset": case "unreachable":
      return shape(ink.doubt, [[0, -7], [7, 6], [-7, 6]]);
    case "finished": {
      const failed = event.value !== null && event.value !== undefined;
      return shape(failed ? ink.bad : ink.value, [[-1.5, -9], [1.5, -9], [1.5, 9], [-1.5, 9]]);
    }
    case undefined: case "emitted": return this.marble(pen, ink, event, x, y, isRoomy);
    default: return circle(ink.wire, 4);
    }
  }

  /* A marble with its value, if that is short enough. */
  marble(pen, ink, event, x, y, isRoomy) {
    const text = isRoomy ? shortText(event.value, 4) : "";
    const hasText = text.length > 0 && text.length <= 3;
    pen.fillStyle = ink.value;
    pen.beginPath();
    pen.arc(x, y, hasText ? 9 : 5, 0, 7);
    pen.fill();
    if (!hasText) return;
    pen.fillStyle = ink.back;
    pen.font = `600 ${text.length > 2 ? 8 : 10}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.fillText(text, x, y + 0.5);
    pen.textAlign = "left";
    pen.font = "12px system-ui, sans-serif";
  }

  paintCursor(pen, ink) {
    if (!this.selected) return;
    pen.fillStyle = ink.accent;
    pen.globalAlpha = 0.6;
    pen.fillRect(this.pixelOf(this.selected) - 0.5, 0, 1, this.height);
    pen.globalAlpha = 1;
  }
}
