// Looks at a page as its reader would: clicks each box, searches, and looks for elements that the text would have made.
(() => {
  const wrong = [];
  const check = (is, what) => is || wrong.push(what);
  const visible = (all) => [...all].filter((one) => one.checkVisibility()).length;
  const unfold = () => document.querySelectorAll("details").forEach((one) => (one.open = true));
  unfold();
  check(!/^(run|1)$/.test(document.title), "a text was run as a script");
  check(document.querySelectorAll("script").length === 2, "a text became a script");
  const made = [...document.querySelectorAll("img, iframe, object, b")].filter((one) => !/^[0-9]+$/.test(one.textContent));
  check(made.length === 0, "a text became an element");
  const loaded = performance.getEntriesByType("resource").map((one) => one.name);
  check(loaded.length === 0, `something was loaded: ${loaded}`);
  const { scrollWidth, clientWidth } = document.documentElement;
  check(scrollWidth <= clientWidth, `it is ${scrollWidth} wide on a screen of ${clientWidth}`);
  let boxes = 0;
  for (const box of document.querySelectorAll("input[type=checkbox]")) {
    const of = box.id.replace("show-", "");
    const all = document.querySelectorAll(`tr.${of}, .lines .${of}`);
    const before = visible(all);
    check(before > 0, `${box.id} is for nothing`);
    box.click();
    check(visible(all) === 0, `${box.id} hides nothing`);
    box.click();
    check(visible(all) === before, `${box.id} does not show again`);
    boxes += 1;
  }
  check(boxes > 0, "there are no boxes");
  const field = document.querySelector("#search input");
  const search = (words) => {
    field.value = words;
    field.dispatchEvent(new Event("input"));
    return document.querySelector("#search output").textContent;
  };
  check(document.querySelector("#search").checkVisibility(), "there is no search");
  const found = search("port");
  check(/^[1-9][0-9]* found$/.test(found), `a search says: ${found}`);
  check(search("nowhere-to-be-found") === "0 found", "a search finds what is not there");
  check(search("") === "", "a search does not end");
  const told = document.createElement("pre");
  told.id = "probe";
  told.textContent = wrong.length ? wrong.join("; ") : `all is well: ${clientWidth} wide, ${boxes} boxes, ${found}`;
  document.body.append(told);
})();
