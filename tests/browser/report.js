// What a reader does with the page of a comparison, and what the page makes of it.
(async () => {
  const settled = () => new Promise((done) => setTimeout(done, 50));
  const findings = [...document.querySelectorAll("details.finding")];
  const rules = () => findings.filter((finding) => !finding.hidden).map((finding) => finding.id.split(":")[0]);
  const set = async (id, value) => {
    const field = document.getElementById(id);
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await settled();
    return rules();
  };
  const key = async (name) => {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    await settled();
  };
  const found = {};
  found.title = document.title;
  found.all = rules();

  // Filters, one after the other.
  found.newToOld = await set("direction", "new_to_old");
  await set("direction", "");
  found.guest = (await set("side", "guest")).length;
  await set("side", "");
  found.python = await set("language", "python");
  await set("language", "");
  const breaking = document.querySelector("input[value=breaking]");
  breaking.click();
  await settled();
  found.notBreaking = rules();
  found.count = document.getElementById("count").value;
  found.groups = [...document.querySelectorAll("section.group:not([hidden]) h2")].map((title) => title.textContent);
  await key("Escape");
  found.cleared = rules().length === findings.length && breaking.checked;

  // Search, from the keyboard.
  await key("/");
  found.searching = document.activeElement.id;
  found.searched = await set("search", "AJAR doorstate");
  found.nothing = await set("search", "no such thing");
  found.none = !document.getElementById("none").hidden;

  // A link shows its finding whatever the filters say.
  location.hash = "#" + encodeURIComponent("property-became-required:OpenRequest.speed");
  await settled();
  const linked = document.getElementById("property-became-required:OpenRequest.speed");
  found.linked = [linked.open, linked.hidden, document.activeElement === linked.querySelector("summary")];
  await settled();
  found.panes = [...linked.querySelectorAll(".panes figcaption b")].map((title) => title.textContent);
  found.code = [...linked.querySelectorAll(".code[data-language=typescript] pre span")]
    .map((line) => line.textContent.trimEnd())
    .filter((line) => /^[+-]/.test(line));
  found.witness = JSON.parse(linked.querySelector(".witness pre").textContent).method;
  const permalink = linked.querySelector("a.permalink").getAttribute("href");
  found.permalink = decodeURIComponent(permalink.slice(1)) === linked.id;

  // Open and close, next and previous.
  linked.querySelector("summary").click();
  await settled();
  found.closed = !linked.open;
  const at = () => findings.findIndex((finding) => finding.contains(document.activeElement));
  const before = at();
  await key("j");
  found.next = at() - before;
  await key("k");
  found.previous = at() - before;

  // Light and dark.
  const page = () => getComputedStyle(document.body).backgroundColor;
  const first = page();
  document.getElementById("theme").click();
  found.themes = first !== page();
  found.scripts = document.scripts.length;
  document.documentElement.innerHTML = "";
  document.documentElement.append(JSON.stringify(found));
})();
