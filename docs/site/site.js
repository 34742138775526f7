// The menu is closed on a phone, and the field finds sections by their words, as `rehearse docs` does.
const mostResults = 30;
const menu = document.querySelector(".menu");
const search = document.querySelector("#search");
const results = document.querySelector("#results");
const root = document.documentElement.dataset.top;

if (matchMedia("(max-width: 48rem)").matches) menu.open = false;

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean).map(beginning);
  const rated = sections.map((section) => [rating(section, words), section]).filter(([rated]) => rated);
  const best = rated.sort(([one], [other]) => other - one).slice(0, mostResults);
  results.replaceChildren(...best.map(([, section]) => result(section)));
  if (words.length && !best.length) results.textContent = "No section has these words.";
  results.hidden = words.length === 0;
}

// A word is found at the beginning of words: `upload` finds `uploads`, and `uploads` finds `upload`.
function beginning(word) {
  const text = word.length > 4 ? word.replace(/s$/, "") : word;
  return new RegExp("(?<![\\p{L}\\p{N}])" + text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

// A word of the heading counts more than one of the title, and that more than any number in the text.
function rating([heading, , title, text], words) {
  let sum = 0;
  for (const word of words) {
    const [inHeading, inTitle, inText] = [heading, title, text].map((part) => part.match(word)?.length ?? 0);
    if (inHeading + inTitle + inText === 0) return 0;
    const isHeading = inHeading && heading.replace(word, "") === "";
    sum += (inHeading ? 30 : 0) + (isHeading ? 20 : 0) + (inTitle ? 10 : 0) + Math.min(inText, 8);
  }
  return sum;
}

function result([text, address, title]) {
  const link = document.createElement("a");
  link.href = `${root}/${address}`;
  link.textContent = text;
  link.append(Object.assign(document.createElement("small"), { textContent: title }));
  const item = document.createElement("li");
  item.append(link);
  return item;
}

function clear() {
  search.value = "";
  show();
}

search.addEventListener("input", show);
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") clear();
  if (event.key === "Enter") results.querySelector("a")?.click();
});
results.addEventListener("click", clear);
