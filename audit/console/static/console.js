// What every page shares: keys, lists that are walked with J and K, switches kept in cookies.

const typing = (target) => target.closest("input, textarea, select, [contenteditable]");

function rows() {
  return [...document.querySelectorAll("[data-list] [data-row]")];
}

function selected() {
  return document.querySelector("[data-list] [data-row].selected") ?? null;
}

function select(row) {
  if (!row) return;
  for (const other of rows()) {
    other.classList.toggle("selected", other === row);
    other.tabIndex = other === row ? 0 : -1;
  }
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
  row.dispatchEvent(new CustomEvent("select"));
}

function move(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(selected() ?? document.activeElement);
  select(all[Math.min(all.length - 1, Math.max(0, at + by))]);
}

function open() {
  const row = selected() ?? document.activeElement.closest?.("[data-row]");
  const href = row?.dataset.href ?? row?.getAttribute("href") ?? document.querySelector("#detail a.primary")?.href;
  if (href) location.assign(href);
}

function keep(cookie) {
  document.cookie = `${cookie}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
}

const acts = {
  j: () => move(1),
  k: () => move(-1),
  Enter: open,
  "?": () => document.querySelector("#keys")?.showModal(),
  f: () => document.querySelector("[data-wall]")?.click(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.key === "Enter" && event.target.closest("a, button")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const wanted = event.shiftKey && /^[a-z]$/.test(key) ? null : `[data-key="${CSS.escape(key)}"]`;
  const field = wanted && document.querySelector(wanted);
  if (field) {
    event.preventDefault();
    if (field.matches("input, textarea, select")) field.focus();
    else field.click();
    if (field.matches("summary")) field.parentElement.querySelector("form input:not([type=hidden])")?.focus();
    return;
  }
  if (document.body.dataset.keys === "player") return; // the player has keys of its own
  if (acts[key] && (key === "?" || key === "f" || rows().length)) {
    event.preventDefault();
    acts[key]();
  }
});

document.addEventListener("click", (event) => {
  const cookie = event.target.closest("[data-cookie]");
  if (cookie) keep(cookie.dataset.cookie);
  if (event.target.closest("[data-wall]")) document.body.classList.toggle("wall-mode");
  const row = event.target.closest("[data-row]");
  if (row && !event.target.closest("a")) select(row);
});

document.addEventListener("dblclick", (event) => {
  if (event.target.closest("[data-row]")) open();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.body.classList.remove("wall-mode");
});

document.addEventListener("change", (event) => {
  event.target.closest("[data-submit-on-change]")?.requestSubmit();
});

// A form that a key opened is written into at once.
document.addEventListener("toggle", (event) => {
  if (event.target.open && event.target.matches("[data-focus]")) {
    event.target.querySelector("select, textarea, input:not([type=hidden])")?.focus();
  }
}, true);

// A list that says so is kept up to date: when something is new its rows are asked for again, and
// the selected row stays selected.
const live = document.querySelector("[data-live]");
if (live) {
  let known = "";
  const source = new EventSource(live.dataset.live);
  source.addEventListener("news", (event) => {
    if (event.data === known) return;
    const first = known === "";
    known = event.data;
    // a list is asked for the first time too: something may have come since the page was made
    if (document.querySelector("#rows")) refresh(known);
    else if (!first) location.reload();
  });
  async function refresh(version) {
    const answer = await fetch(location.href, { headers: { "x-live": "1" } }).catch(() => null);
    const text = answer?.ok ? await answer.text() : "";
    if (version !== known) return; // what came later is asked for by its own event
    if (!text) { setTimeout(() => version === known && refresh(version), 1000); return; }
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.querySelector("#rows");
    const rows = document.querySelector("#rows");
    if (!fresh || !rows) { location.reload(); return; }
    const before = new Set([...rows.querySelectorAll("[data-row]")].map((row) => row.dataset.id));
    const chosen = selected()?.dataset.id;
    const place = [...rows.querySelectorAll("[data-row]")].indexOf(selected());
    rows.replaceChildren(...fresh.children);
    let grave = 0;
    for (const row of rows.querySelectorAll("[data-row]")) {
      row.classList.toggle("selected", row.dataset.id === chosen);
      row.tabIndex = row.dataset.id === chosen ? 0 : -1;
      if (!before.has(row.dataset.id)) {
        row.classList.add("fresh");
        if (row.querySelector(".severity.s1")) grave++;
      }
    }
    const badge = document.querySelector(".rail");
    badge?.replaceChildren(...(page.querySelector(".rail")?.children ?? badge.children));
    window.htmx?.process(rows);
    if (chosen && !selected()) { // somebody cleared it: the next one takes its place
      const all = [...rows.querySelectorAll("[data-row]")];
      select(all[Math.min(Math.max(place, 0), all.length - 1)]);
    }
    if (grave) document.querySelector("#announce").textContent = `+${grave} S1`;
  }
}

// What scrolls can be reached and scrolled with the keyboard.
function reachable() {
  for (const each of document.querySelectorAll(".scroll, .sheet, .col, pre.code, .remarks")) {
    const scrolls = each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1;
    if (scrolls && !each.hasAttribute("tabindex")) each.tabIndex = 0;
  }
}
reachable();
addEventListener("load", reachable);
addEventListener("resize", reachable);
document.addEventListener("htmx:afterSettle", reachable);
