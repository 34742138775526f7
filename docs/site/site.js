// The menu is closed on a phone, and the field finds headings by their words.
const mostResults = 30;
const menu = document.querySelector(".menu");
const search = document.querySelector("#search");
const results = document.querySelector("#results");
const root = document.documentElement.dataset.top;

if (matchMedia("(max-width: 48rem)").matches) menu.open = false;

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = headings
    .filter(([text]) => words.every((word) => text.toLowerCase().includes(word)))
    .sort(([one], [other]) => one.length - other.length);
  results.replaceChildren(...found.slice(0, mostResults).map(result));
  if (words.length && !found.length) results.textContent = "No heading has these words.";
  results.hidden = words.length === 0;
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
