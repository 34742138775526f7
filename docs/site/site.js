// The menu is closed on a phone, and the field finds pages by the words of their titles.
const menu = document.querySelector(".menu");
if (matchMedia("(max-width: 48rem)").matches) menu.open = false;

document.querySelector("#filter").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length) menu.open = true;
  for (const group of document.querySelectorAll(".pages ul")) {
    let shown = 0;
    for (const item of group.children) {
      const text = item.textContent.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) shown += 1;
    }
    group.previousElementSibling.hidden = shown === 0;
  }
});
