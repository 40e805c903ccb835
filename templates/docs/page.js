// Search, keys, theme and contents. Everything else works without.
"use strict";

const root = document.documentElement;
const search = document.getElementById("search");
const results = document.getElementById("results");
const theme = document.getElementById("theme");
const menu = document.getElementById("menu");
const nav = document.getElementById("nav");
root.classList.add("js");

// The theme is the system's until someone chooses.

const dark = matchMedia("(prefers-color-scheme: dark)");

function recall() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

function show(chosen) {
  const isDark = chosen === null ? dark.matches : chosen === "dark";
  if (chosen !== null) root.dataset.theme = chosen;
  theme.setAttribute("aria-pressed", String(isDark));
}

show(recall());
dark.addEventListener("change", () => show(root.dataset.theme ?? null));
theme.addEventListener("click", () => {
  const chosen =
    theme.getAttribute("aria-pressed") === "true" ? "light" : "dark";
  show(chosen);
  try {
    localStorage.setItem("theme", chosen);
  } catch {
    // It lasts as long as the page, then.
  }
});

// What can be found: every place with a name.

const places = Array.from(
  document.querySelectorAll("[data-name]"),
  (element) => {
    const owner = element.parentElement.closest("[data-name]");
    const { name, kind } = element.dataset;
    const isPart = !("entry" in element.dataset);
    const path = owner && isPart ? `${owner.dataset.name}.${name}` : name;
    return {
      id: element.id,
      kind,
      name,
      path,
      text: path.toLowerCase(),
      said: said(element),
    };
  },
);

/** What is said of a place, but not of those within it. */
function said(element) {
  const prose = Array.from(element.querySelectorAll(".prose"));
  const own = prose.filter((part) => part.closest("[data-name]") === element);
  return own.map((part) => part.textContent.toLowerCase()).join(" ");
}

/** Methods first, then types, then what is in them. */
const order = { request: 0, notification: 0, type: 1 };

/** How well a place fits what was typed: less is better, none is no fit. Names come first. */
function rank(place, words) {
  if (!words.every((word) => place.text.includes(word))) {
    const all = `${place.text} ${place.said}`;
    return words.every((word) => all.includes(word)) ? 20 : undefined;
  }
  const name = place.name.toLowerCase();
  const last = words[words.length - 1];
  const isWord = name === last || name.split(/[^a-z0-9]+/).includes(last);
  const fit = isWord
    ? 0
    : name.startsWith(last)
      ? 1
      : name.includes(last)
        ? 2
        : 3;
  return fit + (order[place.kind] ?? 3);
}

const shown = 12;
let chosen = -1;

function find() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  if (words.length > 0) {
    for (const place of places) {
      const fit = rank(place, words);
      if (fit !== undefined) found.push({ fit, place });
    }
  }
  found.sort(
    (a, b) => a.fit - b.fit || a.place.path.length - b.place.path.length,
  );
  results.replaceChildren(
    ...found.slice(0, shown).map(({ place }, index) => {
      const item = document.createElement("li");
      item.id = `result-${index}`;
      item.setAttribute("role", "option");
      const link = document.createElement("a");
      link.href = `#${place.id}`;
      link.tabIndex = -1;
      link.textContent = place.path;
      const kind = document.createElement("span");
      kind.textContent = place.kind;
      item.append(link, kind);
      item.addEventListener("mousedown", (event) => event.preventDefault());
      item.addEventListener("click", () => go(place.id));
      return item;
    }),
  );
  if (found.length === 0 && words.length > 0) {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = "Nothing found";
    results.append(none);
  }
  const isOpen = words.length > 0;
  results.hidden = !isOpen;
  search.setAttribute("aria-expanded", String(isOpen));
  choose(found.length > 0 ? 0 : -1);
}

function choose(index) {
  chosen = index;
  const items = results.querySelectorAll("[role=option]");
  items.forEach((item, at) =>
    item.setAttribute("aria-selected", String(at === index)),
  );
  if (items[index]) {
    search.setAttribute("aria-activedescendant", items[index].id);
    items[index].scrollIntoView({ block: "nearest" });
  } else {
    search.removeAttribute("aria-activedescendant");
  }
}

function close() {
  results.hidden = true;
  search.setAttribute("aria-expanded", "false");
  search.removeAttribute("aria-activedescendant");
}

function go(id) {
  close();
  search.value = "";
  search.blur();
  location.hash = id;
  const place = document.getElementById(id);
  place.setAttribute("tabindex", "-1");
  place.focus({ preventScroll: true });
  place.scrollIntoView();
}

search.addEventListener("input", find);
search.addEventListener("focus", () => search.value && find());
search.addEventListener("blur", close);
search.addEventListener("keydown", (event) => {
  const items = results.querySelectorAll("[role=option]");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && items.length > 0) {
    event.preventDefault();
    choose((chosen + step + items.length) % items.length);
  } else if (event.key === "Enter" && items[chosen]) {
    event.preventDefault();
    go(items[chosen].querySelector("a").hash.slice(1));
  } else if (event.key === "Escape") {
    search.value = "";
    close();
    search.blur();
  }
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  const isSlash =
    event.key === "/" &&
    !isTyping &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey;
  const isShortcut = event.key === "k" && (event.ctrlKey || event.metaKey);
  if (isSlash || isShortcut) {
    event.preventDefault();
    search.focus();
    search.select();
  }
  if (event.key === "Escape") hide();
});

// On a narrow screen the contents come and go.

function hide() {
  menu.setAttribute("aria-expanded", "false");
  nav.classList.remove("open");
}

menu.addEventListener("click", () => {
  const isOpen = nav.classList.toggle("open");
  menu.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) nav.querySelector("summary, a")?.focus();
});
nav.addEventListener("click", (event) => {
  if (event.target instanceof HTMLAnchorElement) hide();
});

// The contents say where one is.

const links = new Map(
  Array.from(nav.querySelectorAll("a"), (link) => [link.hash.slice(1), link]),
);
let current;

function mark(id) {
  const link = links.get(id);
  if (!link || link === current) return;
  current?.removeAttribute("aria-current");
  current = link;
  link.setAttribute("aria-current", "true");
  const box = nav.getBoundingClientRect();
  const at = link.getBoundingClientRect();
  if (at.top < box.top || at.bottom > box.bottom)
    link.scrollIntoView({ block: "center" });
}

const inView = new IntersectionObserver(
  (entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) mark(entry.target.id);
  },
  { rootMargin: "-10% 0px -80% 0px" },
);
document
  .querySelectorAll("article[data-entry]")
  .forEach((entry) => inView.observe(entry));
