"use strict";
(() => {
  const field = document.getElementById("search");
  if (!field) return;
  const input = field.querySelector("input");
  const found = field.querySelector("output");
  const all = [...document.querySelectorAll(
    ".entries > li, .bars > li, tbody > tr, .lines > div, .row, .file")];
  const texts = all.map((one) => one.textContent.toLowerCase());
  const folded = [...document.querySelectorAll("details")];
  const opened = new Set();
  const search = () => {
    const words = input.value.trim().toLowerCase();
    let count = 0;
    const hits = new Set();
    all.forEach((one, at) => {
      const fits = !words || texts[at].includes(words);
      one.classList.toggle("out", !fits);
      if (!words || !fits) return;
      if (!one.matches(".file")) count += 1;
      for (let up = one.closest("details"); up; up = up.parentElement.closest("details")) hits.add(up);
    });
    for (const fold of folded) {
      if (hits.has(fold) && !fold.open) {
        fold.open = true;
        opened.add(fold);
      } else if (!hits.has(fold) && opened.delete(fold)) {
        fold.open = false;
      }
    }
    found.textContent = words ? `${count} found` : "";
  };
  field.hidden = false;
  input.addEventListener("input", search);
  if (input.value) search();
})();
