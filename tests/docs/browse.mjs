// Uses the page as a reader does, and prints what was found as JSON.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Page } from "./chromium.mjs";

const [program, profile, folder, shots] = process.argv.slice(2);
const url = pathToFileURL(join(folder, "page.html")).href;
const page = await Page.open(program, profile);
const found = {};
const background = "getComputedStyle(document.body).backgroundColor";
const active = "document.activeElement.id";

// Search: a slash, some letters, Enter.
await page.look(1440, 1000, "light");
await page.go(url);
found.scripts = await page.value("document.scripts.length");
await page.press("/", 191);
await page.type("session/new");
const first = "document.querySelector('[aria-selected=true]')";
found.results = await page.value(`Array.from(${first}.children, (part) => part.textContent)`);
await page.shoot(join(shots, "search.png"));
await page.press("Enter", 13);
found.chosen = await page.value("location.hash.slice(1)");
found.focused = await page.value(active);
const top = "document.getElementById('session-new').getBoundingClientRect().top";
found.inView = await page.value(`${top} >= 0 && ${top} < innerHeight / 2`);
await new Promise((resolve) => setTimeout(resolve, 200));
found.marked = await page.value("document.querySelector('nav [aria-current]')?.hash");

// Arrows choose another; Escape gives up.
await page.press("k", 75, 2);
await page.type("session");
await page.press("ArrowDown", 40);
const options = "Array.from(document.querySelectorAll('[role=option]'))";
found.second = await page.value(`${options}.indexOf(${first}) === 1`);
await page.type("zzz");
found.none = await page.value("document.querySelector('#results').textContent");
await page.press("Escape", 27);
found.cleared = await page.value(
  "document.querySelector('#results').hidden && document.querySelector('#search').value === ''",
);

// What is said of a place finds it, after all names.
await page.press("/", 191);
await page.type("creates conversation");
found.said = await page.value(`${options}.map((part) => part.firstChild.textContent)`);
await page.press("Escape", 27);

// A deep link leads to a field, from outside and from a link on the page.
await page.go(`${url}#newsessionrequest-cwd`);
const row = "document.querySelector(':target').getBoundingClientRect()";
found.deep = await page.value(`${row}.top >= 56 && ${row}.top < 200`);
await page.shoot(join(shots, "light.png"));

await page.value("document.querySelector('#newsessionrequest-mcpservers .type a').click()");
await page.settled();
found.followed = await page.value("location.hash");

// The theme is the system's, until the button is pressed; then it is remembered.
found.light = await page.value(background);
await page.value("document.getElementById('theme').focus()");
await page.press("Enter", 13);
found.dark = await page.value(background);
await page.shoot(join(shots, "dark.png"));
await page.go(url);
found.kept = await page.value(background);
await page.value("localStorage.clear()");

// The first stop of the Tab key skips to the contents.
await page.go(url);
await page.press("Tab", 9);
await page.press("Enter", 13);
found.skip = await page.value(active);

// On a narrow screen the contents come and go, and nothing is too wide.
await page.look(390, 844, "light");
await page.go(`${url}#contentblock`);
await page.shoot(join(shots, "narrow.png"));
const isOpen = "getComputedStyle(document.getElementById('nav')).visibility === 'visible'";
found.menu = [await page.value(isOpen)];
await page.value("document.getElementById('menu').focus()");
await page.press("Enter", 13);
found.menu.push(await page.value(isOpen));
await page.shoot(join(shots, "menu.png"));
await page.press("Escape", 27);
found.menu.push(await page.value(isOpen));
found.overflow = await page.value(`(() => {
  const wide = document.documentElement.scrollWidth > innerWidth;
  if (!wide) return [];
  const all = Array.from(document.querySelectorAll("main *"));
  return all.filter((it) => it.getBoundingClientRect().right > innerWidth).map((it) => it.outerHTML.slice(0, 99));
})()`);

// The table of methods is read without being moved: each cell of it is on the screen.
found.cells = await page.value(`(() => {
  const table = document.querySelector("table.overview");
  const cells = Array.from(table.querySelectorAll("tbody th, tbody td"));
  const off = cells.filter((it) => it.getBoundingClientRect().right > innerWidth);
  const rows = table.querySelectorAll("tbody tr");
  const below = Array.from(rows).filter((it) => {
    const [name, , , what] = Array.from(it.cells).map((cell) => cell.getBoundingClientRect());
    return what.height === 0 || what.top >= name.bottom;
  });
  return [table.parentElement.scrollWidth > table.parentElement.clientWidth, off.length, rows.length - below.length];
})()`);

// Every control has a name, and text stands out from what is behind it in both themes.
found.unlabelled = await page.value(`Array.from(document.querySelectorAll("a, button, input, nav"))
  .filter((it) => !(it.textContent.trim() || it.getAttribute("aria-label"))).length`);
found.contrast = [];
for (const scheme of ["light", "dark"]) {
  await page.look(1680, 1050, scheme);
  await page.go(`${url}#session-update`);
  await page.shoot(join(shots, `wide-${scheme}.png`));
  found.contrast.push(...(await page.value(`(${contrasts})()`)));
}

// Descriptions that try to be more than text.
await page.go(pathToFileURL(join(folder, "hostile.html")).href);
found.hostile = await page.value(`({
  scripts: document.scripts.length,
  alerts: document.querySelectorAll("[onclick], [onerror], [onload]").length,
  images: document.images.length,
  frames: document.querySelectorAll("iframe, object, embed, svg, form").length,
})`);
await page.shoot(join(shots, "hostile.png"));

found.problems = page.problems;
found.requests = page.requests.filter((request) => !request.startsWith("file://"));
await page.close();
console.log(JSON.stringify(found));

/** The texts whose contrast is below 4.5 to 1, as WCAG 2 counts it. */
function contrasts() {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data;
  };
  const light = (color) => {
    const parts = Array.from(rgba(color).slice(0, 3), (part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const behind = (element) => {
    for (let it = element; it; it = it.parentElement) {
      const color = getComputedStyle(it).backgroundColor;
      if (rgba(color)[3] > 0) return color;
    }
    return "white";
  };
  const poor = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const hasText = Array.from(element.childNodes).some(
      (it) => it.nodeType === 3 && it.data.trim(),
    );
    if (!hasText || element.closest("script, .here, .skip")) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(element.tagName + "." + element.className + " " + ratio.toFixed(2));
  }
  return Array.from(poor);
}
