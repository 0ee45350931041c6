// Charts of numbers, drawn by uPlot: data lies in a script element beside each.

const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const COLOURS = ["--accent", "--sev2", "--ok", "--unknown", "--whatif", "--mark-result"];
const HEIGHT = 230;
const DAY = "\n{YYYY}-{MM}-{DD}"; // beside the first mark of a day
const CLOCK = [
  [3600 * 24, "{YYYY}-{MM}-{DD}", null, null, null, null, null, null, 1],
  [60, "{HH}:{mm}", DAY, null, DAY, null, null, null, 1],
  [0.001, "{HH}:{mm}:{ss}", DAY, null, DAY, null, null, null, 1],
];

function power(value) {
  if (value >= 0 && value <= 6) return (10 ** value).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 0 });
  return value < 0 && value >= -2 ? String(Math.round(10 ** value * 100) / 100) : `10^${value}`;
}

function axis(more) {
  return { stroke: ink("--t3"), grid: { stroke: ink("--line"), width: 1 }, ticks: { show: false }, font: `11px ${ink("--sans")}`, ...more };
}

function line(chart, told) {
  const y = Math.round(chart.valToPos(told.at, "y", true));
  const { left, width, top } = chart.bbox;
  if (y < top) return;
  const pen = chart.ctx;
  pen.save();
  pen.strokeStyle = pen.fillStyle = ink("--sev1");
  pen.lineWidth = devicePixelRatio;
  pen.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  pen.beginPath();
  pen.moveTo(left, y);
  pen.lineTo(left + width, y);
  pen.stroke();
  pen.font = `600 ${11 * devicePixelRatio}px ${ink("--sans")}`;
  pen.textAlign = "right";
  pen.textBaseline = "bottom";
  pen.fillText(told.name, left + width - 4, y - 5 * devicePixelRatio);
  pen.restore();
}

function room(place) {
  const { paddingLeft, paddingRight } = getComputedStyle(place);
  return place.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}

function draw(place) {
  const told = JSON.parse(document.getElementById(place.dataset.chart).textContent);
  const words = document.documentElement.lang;
  const values = told.series.flatMap((each) => each.values).filter((each) => each !== null);
  const low = Math.min(...values, told.powers ? -1 : 0);
  const high = Math.max(...values, told.line?.at ?? 0, told.powers ? 1 : 0);
  const whole = (chart, splits) => splits.map((each) => (Number.isInteger(each) ? power(each) : ""));
  const plain = (chart, splits) => splits.map((each) => each.toLocaleString(words));
  const options = {
    width: room(place), height: HEIGHT, padding: [14, 12, 0, 0],
    cursor: { drag: { x: false, y: false } }, legend: { show: told.series.length > 1 },
    scales: {
      x: { time: Boolean(told.time) },
      y: { range: told.powers ? [Math.floor(low), Math.ceil(high) + 0.6] : (u, min, max) => [Math.min(0, min), Math.max(0, max) * 1.05 || 1] },
    },
    axes: [
      axis(told.time ? { space: 90, values: CLOCK } : { values: plain }),
      axis({ size: 78, values: told.powers ? whole : plain, ...(told.powers ? { incrs: [1, 2, 5, 10, 20, 50, 100] } : {}) }),
    ],
    series: [{ label: told.name ?? "" }, ...told.series.map((each, n) => ({
      label: each.name, stroke: ink(COLOURS[n % COLOURS.length]), width: 1.5, points: { show: told.x.length < 30 },
    }))],
    hooks: told.line ? { draw: [(chart) => line(chart, told.line)] } : {},
    tzDate: (at) => uPlot.tzDate(new Date(at * 1e3), told.zone ?? "UTC"),
  };
  place.replaceChildren();
  new uPlot(options, [told.x, ...told.series.map((each) => each.values)], place);
}

const places = [...document.querySelectorAll("[data-chart]")];
const all = () => places.forEach(draw);
all();
let waits = 0;
addEventListener("resize", () => { clearTimeout(waits); waits = setTimeout(all, 100); });
