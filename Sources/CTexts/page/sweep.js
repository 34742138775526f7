/* A sweep on the timeline of its run without a disturbance: how many courses disturb each place,
   what became of them, and one of them beside that run. */

const results = {
  failed: ["Failed", "failed"], unclear: ["Unclear", "flaky"], flaky: ["Flaky", "flaky"],
  notReached: ["Not reached", "flaky"], notJudged: ["Not judged", "skipped"],
  held: ["Held", "passed"],
};
const resultBadge = (result) => el("span", { class: `badge ${results[result][1]}`,
  text: results[result][0] });

/* The lines of a recording that are pieces of a kind. */
const pieces = {
  request: (line) => line.kind === "request",
  answer: (line) => ["response", "stream", "upgrade"].includes(line.kind),
  event: (line) => ["event", "line", "bytes"].includes(line.kind),
  message: (line) => frames.includes(line.kind) && line.from === "server",
  sending: (line) => frames.includes(line.kind) && line.from === "client",
};
const frames = ["message", "ping", "pong", "goodbye"];

/* The event at the place of a disturbance. Of a piece that is no event, such as a comment, it is the
   last one on its connection; null without an earlier event. */
function placeOf(timeline, name) {
  const [, kind, number, line, connection] =
    /(request|answer|event|message|sending) (\d+) of (\S+), connection (\d+)/.exec(name) || [];
  const [, attempt, refused] = /^refuse connection (\d+) of (\S+)/.exec(name) || [];
  const [, rewritten] = /^rewrite (\S+) as/.exec(name) || [];
  const [, amount, unit] = /^offline at (\d+)(us|ms|s) /.exec(name) || [];
  const source = line || refused || rewritten;
  const on = timeline.shown.filter((one) => one.source === source && one.from
    && (rewritten || one.connection === Number(connection || attempt)));
  if (amount) {
    const time = amount * { us: 1, ms: 1e3, s: 1e6 }[unit];
    return timeline.shown.find((one) => one.us >= time) || null;
  }
  return (kind ? on.filter(pieces[kind])[number - 1] || on[on.length - 1] : on[0]) || null;
}

class SweepView {
  constructor(view, courses) {
    Object.assign(this, { view, courses, places: new Map() });
    courses.forEach((course, index) => {
      course.index = index;
      course.place = placeOf(view.timeline, course.c);
      if (!course.place) return;
      if (!this.places.has(course.place)) this.places.set(course.place, []);
      this.places.get(course.place).push(course);
    });
    this.list = el("div", { class: "panel" });
    this.other = el("div", {});
    this.element = el("section", { "aria-label": "Courses" }, el("p", { class: "note", text:
      "A number on the timeline is how many courses disturb that place: red if one failed, "
      + "amber if one is not clear, green if all held. Choose a place, then a course." }),
      this.list, this.other, el("details", {}, el("summary", {
        text: `The ${counted(this.places.size, "place")} as a table` }), this.table()));
  }

  /* The worst result at a place, and the number of its courses, for the picture. */
  get heat() {
    return [...this.places].map(([event, courses]) => ({ event, count: courses.length,
      look: courses.some((one) => one.o === "failed") ? "bad"
        : courses.every((one) => one.o === "held") ? "good" : "doubt" }));
  }

  table() {
    const count = (courses, ...names) =>
      String(courses.filter((one) => names.includes(one.o)).length);
    return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Places" },
      el("table", {}, el("thead", {}, el("tr", {}, ["Place", "Time", "Failed", "Not clear",
        "Not judged", "Held"].map((text) => el("th", { scope: "col", text })))),
      el("tbody", {}, [...this.places].sort(([one], [two]) => one.index - two.index)
        .map(([event, courses]) => el("tr", {}, el("th", { scope: "row" },
          button(`${event.laneName} ${shortText(eventText(event), 60)}`,
            () => this.view.select(event, true), { class: "link" })),
        [duration(event.us), count(courses, "failed"),
          count(courses, "unclear", "flaky", "notReached"), count(courses, "notJudged"),
          count(courses, "held")].map((text) => el("td", { text })))))));
  }

  /* The courses at an event; without a place there, courses at no place, such as late ones. */
  show(event) {
    const found = [...(this.places.get(event) || [])].sort((one, other) =>
      Object.keys(results).indexOf(one.o) - Object.keys(results).indexOf(other.o));
    const lost = this.courses.filter((one) => !one.place);
    const rows = (courses) => el("ul", { class: "exchanges" }, courses.map((course) => el("li", {},
      el("button", { type: "button", class: "exchange", click: () => this.open(course) },
        resultBadge(course.o), el("span", { class: "code", text: course.c })))));
    this.list.replaceChildren(el("h3", { text: found.length
      ? `${counted(found.length, "course")} at this place` : "No course disturbs this event" }),
    rows(found), lost.length ? el("details", {}, el("summary", {
      text: `${counted(lost.length, "course")} at no place of this run` }), rows(lost)) : "");
  }

  /* The course that a failure names. */
  openNamed(name) {
    const course = this.courses.find((one) => one.c === name);
    if (!course) return;
    if (course.place) this.view.select(course.place);
    this.open(course);
  }

  /* Shows a course below the run without a disturbance, with the disturbed place marked. */
  async open(course) {
    const head = [el("h3", {}, resultBadge(course.o), " ", el("code", { text: course.c })),
      course.m ? el("p", { class: "message" }, coded(course.m)) : ""];
    this.other.replaceChildren(el("div", { class: "course" }, head));
    this.other.scrollIntoView({ block: "nearest" });
    if (!course.n) {
      const again = `rehearse run '${this.view.row.p}:${this.view.row.l}' --disturb '${course.c}'`;
      head.push(el("p", { class: "note" }, "The timeline of this course was not kept. ",
        el("code", { text: again }), " ", copyButton(again, "command")));
      return this.other.replaceChildren(el("div", { class: "course" }, head));
    }
    const events = await readEvents(`course${this.view.row.index}-${course.index}`, course.n,
      () => {});
    const timeline = new Timeline(this.view.detail.timeline, events);
    const detail = el("div", { class: "panel" });
    const place = placeOf(timeline, course.c) || timeline.shown.findLast((one) =>
      one.us <= (course.place ? course.place.us : 0)) || timeline.shown[0];
    const view = { timeline, hover: (event) => picture.show(event),
      select: (event) => {
        picture.select(event);
        detail.replaceChildren(eventDetail(timeline, event, view));
      } };
    const picture = new TimelineCanvas(timeline, view.select, () => {});
    picture.bands = [...timeline.bands, { from: place, to: place, kind: "fault" }];
    this.other.replaceChildren(el("div", { class: "course" }, head, picture.element, detail));
    view.select(place);
    say("The course is shown below the run without a disturbance");
  }
}
