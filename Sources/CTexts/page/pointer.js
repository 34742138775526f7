/* What a pointer and the keyboard do on the picture of a timeline. */

Object.assign(TimelineCanvas.prototype, {
  listen() {
    const canvas = this.canvas;
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      drag = { x: event.clientX, view: [...this.view], moved: false };
    });
    addEventListener("pointerup", () => { drag = null; });
    canvas.addEventListener("pointermove", (event) => {
      if (drag && event.buttons) return this.drag(event, drag);
      const found = this.eventAt(event);
      canvas.classList.toggle("pointing", Boolean(found));
      canvas.title = found ? `${numberOf(found)}: ${eventText(found)}` : "";
      this.hover(found);
    });
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("click", (event) => {
      const found = this.eventAt(event);
      if (found) this.choose(found);
    });
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.element.addEventListener("keydown", (event) => this.key(event));
  },

  drag(event, drag) {
    const distance = event.clientX - drag.x;
    if (Math.abs(distance) > 3) drag.moved = true;
    const width = drag.view[1] - drag.view[0];
    const share = distance / (this.width - this.gutter) * width;
    if (drag.moved) this.setView(drag.view[0] - share, drag.view[1] - share);
  },

  /* With Ctrl or Command the wheel zooms, so that the page still scrolls. */
  wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const box = this.canvas.getBoundingClientRect();
      this.zoom(Math.exp(event.deltaY / 300), this.fromPixel(event.clientX - box.left));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.pan((event.deltaX || event.deltaY) / (this.width - this.gutter));
    }
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -1e9, End: 1e9 }[event.key];
    if (step) this.move(step);
    else if (event.key === "ArrowDown") this.moveLane(1);
    else if (event.key === "ArrowUp") this.moveLane(-1);
    else if (event.key === "+" || event.key === "=") this.zoom(0.5, this.selected?.x);
    else if (event.key === "-") this.zoom(2, this.selected?.x);
    else if (event.key === "0") this.fit();
    else if (event.key === "c" || event.key === "C") this.moveToCause();
    else return;
    event.preventDefault();
  },

  move(step) {
    const { shown } = this.timeline;
    if (!shown.length) return;
    const now = this.selected && this.selected.place !== undefined ? this.selected.place : -1;
    this.choose(shown[Math.min(shown.length - 1, Math.max(0, now + step))]);
  },

  /* The nearest event of the next lane that has one. */
  moveLane(step) {
    if (!this.selected || this.selected.lane === undefined) return this.move(0);
    const lane = this.timeline.lanes[this.selected.lane + step];
    if (!lane) return;
    const far = (event) => Math.abs(event.x - this.selected.x);
    this.choose(lane.events.reduce((one, other) => (far(other) < far(one) ? other : one)));
  },

  moveToCause() {
    const cause = this.selected && this.timeline.cause(this.selected);
    if (cause) this.choose(cause);
    else say("This event has no cause");
  },

  /* The event whose mark is nearest, within a finger's width. */
  eventAt(pointer) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [pointer.clientX - box.left, pointer.clientY - box.top];
    if (x < this.gutter) return null;
    const lane = Math.floor((y - axisHeight) / laneHeight);
    let best = null;
    let least = pointer.pointerType === "touch" ? 22 : 12;
    for (const event of this.inView()) {
      if (event.lane !== lane) continue;
      const distance = Math.abs(this.toPixel(event.x) - x);
      if (distance < least || (distance === least && event.kind === "failure")) {
        best = event;
        least = distance;
      }
    }
    return best;
  },
});
