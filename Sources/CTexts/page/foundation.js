/* The ground of the page's script: elements, data that are expanded on demand, and texts.

   Elements get their content as text only, never as markup. */

"use strict";
const $ = (id) => document.getElementById(id);

/* Makes an element: attributes, listeners (functions) and children. */
function el(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") made.addEventListener(key, value);
    else if (key === "text") made.textContent = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const svgNames = "http://www.w3.org/2000/svg";
function svg(name, attributes, ...children) {
  const made = document.createElementNS(svgNames, name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") made.addEventListener(key, value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const button = (text, action, more) =>
  el("button", { type: "button", click: action, text, ...more });

/* Says something to people who listen to the page. */
function say(text) {
  $("said").textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { $("said").textContent = ""; }, 4000);
}

/* Expands the element with this id; null without such an element. */
async function expand(id) {
  const element = $(id);
  if (!element) return null;
  const letters = atob(element.textContent);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}
const expandJSON = async (id) => JSON.parse((await expand(id)) || "null");
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/* Copies a text, also where a page from a file may not use the clipboard. */
async function copy(text, of) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`${of} copied`);
}
function copyButton(text, of, label = "Copy") {
  const made = button(label, async () => {
    await copy(text, of);
    made.textContent = "Copied";
    setTimeout(() => { made.textContent = label; }, 1500);
  }, { class: "copy", "aria-label": label === "Copy" ? `Copy ${of}` : false });
  return made;
}

/* A duration as the terminal shows it: 1500000 → "1.5s", 3610000000 → "1h10s" */
function duration(us) {
  if (us === null || us === undefined) return "";
  let rest = Math.abs(us);
  let text = us < 0 ? "-" : "";
  if (rest === 0) return "0ms";
  if (rest < 1000) return `${text}${rest}us`;
  if (rest < 1e6) return `${text}${rest / 1e3}ms`;
  for (const [unit, length] of [["d", 864e8], ["h", 36e8], ["m", 6e7]]) {
    if (rest >= length) text += Math.floor(rest / length) + unit;
    rest %= length;
  }
  return rest ? `${text}${rest / 1e6}s` : text;
}
const rounded = (us) => {
  let unit = 1;
  while (us / unit >= 1000) unit *= 10;
  return Math.round(us / unit) * unit;
};

/* A value on one line, cut. */
function shortText(value, most = 120) {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}
function longText(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/* The parts of a text: what is between backticks is code. */
const coded = (text) => text.split(/`([^`\n]+)`/).map((part, at) =>
  (at % 2 ? el("code", { text: part }) : part));

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const words = {
  "failed": "Failed", "could-not-run": "Could not run", "flaky": "Flaky",
  "warned": "Warnings", "unsteady": "Flaky lately", "passed": "Passed", "skipped": "Skipped",
};
const signs = {
  "failed": "✕", "could-not-run": "!", "flaky": "≈", "warned": "!", "unsteady": "≈",
  "passed": "✓", "skipped": "–",
};
const badge = (outcome) =>
  el("span", { class: `badge ${outcome}` },
    el("span", { "aria-hidden": "true", text: signs[outcome] + " " }), words[outcome]);

/* The fragment of the address: {s: scenario, e: event}. */
function readFragment() {
  const found = {};
  for (const part of location.hash.slice(1).split("&")) {
    const sign = part.indexOf("=");
    if (sign < 1) continue;
    try { found[part.slice(0, sign)] = decodeURIComponent(part.slice(sign + 1)); } catch { /**/ }
  }
  return found;
}
function fragment(parts) {
  const kept = Object.entries(parts).filter(([, value]) => value || value === 0);
  return "#" + kept.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
}
