// The round player. One cursor: felt, timeline, witnesses, steps and sheet show the same event.
// Everything came with the page; stepping fetches nothing.

const data = JSON.parse(document.querySelector("#frames").textContent);
const head = document.querySelector("[data-player]");
const felt = document.querySelector("[data-felt]");
const timeline = document.querySelector(".timeline");
const marks = data.marks;
const offsetMinutes = Number(head.dataset.offset);
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

// Each picture is the one before with its middle changed.
const pictures = [];
for (const frame of data.frames) {
  const before = pictures.at(-1)?.text ?? "";
  const text = before.slice(0, frame.head) + frame.text + (frame.tail ? before.slice(-frame.tail) : "");
  pictures.push({ seq: frame.seq, text });
}

let cursor = marks.length - 1; // the event that was last to happen
let shown = -1; // the picture on the felt
let speed = 2; // place in SPEEDS
let playing = 0; // handle of the timer

document.body.dataset.keys = "player";

function clock(us) {
  const at = new Date(us / 1000 + offsetMinutes * 60000);
  return at.toISOString().slice(11, 23);
}

function draw() {
  const mark = marks[cursor];
  if (!mark) return;
  let picture = -1;
  for (let n = 0; n < pictures.length && pictures[n].seq <= mark.seq; n++) picture = n;
  if (picture !== shown && picture >= 0) {
    felt.innerHTML = pictures[picture].text;
    shown = picture;
  }
  let step = 0;
  let current = null;
  for (const part of document.querySelectorAll("[data-seq]")) {
    const passed = Number(part.dataset.seq) <= mark.seq;
    part.classList.toggle("future", !passed);
    if (part.matches(".steps li")) {
      part.classList.remove("now");
      part.removeAttribute("aria-current");
      if (passed) { step++; current = part; }
    }
  }
  if (current) {
    current.classList.add("now");
    current.setAttribute("aria-current", "step");
    current.scrollIntoView({ block: "nearest" });
  }
  document.querySelector("[data-step]").textContent = step;
  document.querySelector("[data-clock]").textContent = clock(mark.at_us);
  for (const field of document.querySelectorAll("[data-at-us]")) field.value = mark.at_us;
  look(mark);
  document.querySelector("[data-count]").textContent = `${cursor + 1}/${marks.length}`;
  if (timeline) {
    const { begun, over, left, right } = timeline.dataset;
    const part = (mark.at_us - begun) / Math.max(1, over - begun);
    const x = Number(left) + (right - left) * part;
    const line = timeline.querySelector("[data-cursor]");
    const home = Number(line.dataset.home ?? (line.dataset.home = line.querySelector("circle").getAttribute("cx")));
    line.setAttribute("transform", `translate(${x - home} 0)`);
  }
}

// The picture that the chosen camera took last before the cursor, and the frame it read then.
const camera = document.querySelector("[data-camera]");
const eye = camera?.querySelector("[data-still]");
let watched = camera?.querySelector("[data-still-camera]")?.textContent;

function look(mark) {
  if (!eye) return;
  const taken = data.stills.findLastIndex((each) => each.at_us <= mark.at_us && each.camera === watched);
  const read = marks.slice(0, cursor + 1).findLast((each) => each.lane === "camera" && each.frame);
  eye.hidden = taken < 0;
  camera.querySelector("[data-still-none]").hidden = taken >= 0;
  if (taken >= 0) {
    const source = `${location.pathname}/still/${taken}`;
    if (!eye.src.endsWith(source)) eye.src = source;
  }
  const words = camera.querySelector("[data-still-at]");
  if (taken >= 0) words.textContent = `· ${data.stills[taken].number} · ${clock(data.stills[taken].at_us)}`;
  else words.textContent = read ? `· ${read.frame} · ${clock(read.at_us)}` : "";
}

function watch(button) {
  if (!button) return;
  watched = button.dataset.cameraName;
  camera.querySelector("[data-still-camera]").textContent = watched;
  for (const each of camera.querySelectorAll("[data-camera-name]")) each.setAttribute("aria-pressed", String(each === button));
  draw();
}

// A clip: the stretch between two moments, shown on the timeline, kept in the address.
const clip = { from: null, until: null };

function clipped() {
  const words = document.querySelector("[data-clip]");
  const ends = [clip.from, clip.until].map((us) => (us === null ? "…" : clock(us)));
  words.hidden = clip.from === null && clip.until === null;
  words.textContent = `[ ${ends.join(" – ")} ]`;
  const link = new URL(location.href);
  for (const [name, us] of Object.entries(clip)) {
    if (us === null) link.searchParams.delete(name);
    else link.searchParams.set(name, Math.floor(us / 1000));
  }
  history.replaceState(null, "", link);
}

function full() {
  if (document.fullscreenElement) document.exitFullscreen();
  else felt.requestFullscreen?.().catch(() => {});
}

function to(place) {
  cursor = Math.min(marks.length - 1, Math.max(0, place));
  draw();
}

function toTime(us) {
  let place = 0;
  for (let n = 0; n < marks.length; n++) if (marks[n].at_us <= us) place = n;
  to(place);
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  const button = document.querySelector("[data-act=play]");
  button.setAttribute("aria-pressed", "false");
  button.querySelector("[data-play]").textContent = "▶︎";
}

function next() {
  if (cursor >= marks.length - 1) return stop();
  const wait = Math.max(0, marks[cursor + 1].at_us - marks[cursor].at_us) / 1000 / SPEEDS[speed];
  playing = setTimeout(() => { to(cursor + 1); next(); }, Math.min(wait, 20000));
}

function play() {
  if (playing) return stop();
  if (cursor >= marks.length - 1) to(0);
  const button = document.querySelector("[data-act=play]");
  button.setAttribute("aria-pressed", "true");
  button.querySelector("[data-play]").textContent = "❚❚";
  next();
}

function pace(place) {
  speed = Math.min(SPEEDS.length - 1, Math.max(0, place));
  const pressed = document.querySelector(`[data-pace="${SPEEDS[speed]}"]`);
  for (const each of document.querySelectorAll("[data-pace]")) each.setAttribute("aria-pressed", String(each === pressed));
  const words = document.querySelector("[data-speed]");
  words.textContent = `${SPEEDS[speed]}×`;
  words.hidden = Boolean(pressed);
  if (playing) { clearTimeout(playing); next(); }
}

function flag(by = 1) {
  const flags = [...document.querySelectorAll(".tl-finding")].map((each) => Number(each.dataset.seq)).sort((a, b) => a - b);
  const now = marks[cursor].seq;
  const seq = by > 0 ? flags.find((each) => each > now) ?? flags[0] : flags.findLast((each) => each < now) ?? flags.at(-1);
  const place = marks.findIndex((mark) => mark.seq === seq);
  if (place >= 0) to(place);
}

async function copy(button) {
  const link = new URL(location.href);
  link.searchParams.set("at", Math.floor(marks[cursor].at_us / 1000));
  history.replaceState(null, "", link);
  try { await navigator.clipboard.writeText(link.href); } catch { /* the address bar has it */ }
  document.querySelector("#announce").textContent = button.dataset.done;
}

const acts = {
  play, slower: () => pace(speed - 1), faster: () => pace(speed + 1), flag: () => flag(), full,
  back: () => { stop(); to(cursor - 1); },
  on: () => { stop(); to(cursor + 1); },
};

document.addEventListener("click", (event) => {
  const act = event.target.closest("[data-act]");
  if (act) acts[act.dataset.act]();
  if (event.target.closest("[data-keys]")) document.querySelector("#keys").showModal();
  watch(event.target.closest("[data-camera-name]"));
  const moment = event.target.closest("[data-to]");
  if (moment) toTime(Number(moment.dataset.to));
  const chosen = event.target.closest("[data-pace]");
  if (chosen) pace(SPEEDS.indexOf(Number(chosen.dataset.pace)));
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  const mark = event.target.closest(".timeline [data-seq]");
  if (mark) to(marks.findIndex((each) => each.seq === Number(mark.dataset.seq)));
  else if (event.target.closest(".timeline")) {
    const box = timeline.getBoundingClientRect();
    const { begun, over, left, right } = timeline.dataset;
    const x = ((event.clientX - box.left) / box.width) * timeline.viewBox.baseVal.width;
    toTime(Number(begun) + ((x - left) / (right - left)) * (over - begun));
  }
  const row = event.target.closest(".steps li, .witnesses tr[data-seq]");
  if (row && !event.target.closest("a")) {
    const place = marks.findLastIndex((each) => each.seq <= Number(row.dataset.seq));
    to(place);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select") || document.querySelector("dialog[open]")) return;
  const seconds = event.shiftKey ? 30 : 5;
  const keys = {
    " ": play, k: play, ",": acts.back, ".": acts.on, j: acts.slower, l: acts.faster,
    ArrowLeft: () => toTime(marks[cursor].at_us - seconds * 1e6),
    ArrowRight: () => toTime(marks[cursor].at_us + seconds * 1e6),
    ArrowUp: () => toTime(marks[cursor].at_us - 1e6),
    ArrowDown: () => toTime(marks[cursor].at_us + 1e6),
    Home: () => to(0), End: () => to(marks.length - 1), N: () => flag(), P: () => flag(-1), f: full,
    "[": () => { clip.from = marks[cursor].at_us; clipped(); },
    "]": () => { clip.until = marks[cursor].at_us; clipped(); },
    "?": () => document.querySelector("#keys").showModal(),
  };
  if (event.key === " " && event.target.closest("a, button, summary")) return;
  if (/^[1-9]$/.test(event.key)) watch(camera?.querySelectorAll("[data-camera-name]")[event.key - 1]);
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});

const asked = new URL(location.href).searchParams;
for (const name of ["from", "until"]) if (asked.get(name)) clip[name] = Number(asked.get(name)) * 1000;
if (clip.from !== null || clip.until !== null) clipped();
const at = asked.get("at");
if (at) toTime(Number(at) * 1000 + 999);
else {
  const first = Math.min(...[...document.querySelectorAll(".tl-finding")].map((each) => Number(each.dataset.seq)));
  const place = marks.findIndex((mark) => mark.seq === first);
  to(place >= 0 ? place : marks.length - 1);
}
document.body.dataset.ready = "true";
