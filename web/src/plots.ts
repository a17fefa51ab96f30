// Plots that run along.
import { CONTACT, colorsOf } from "#draw";
import type { Lab } from "./lab";
import type { Moment } from "./protocol";

const COLUMNS = ["x", "y", "angle", "vx", "vy", "spin"];
const MARGIN = { left: 46, right: 8, top: 8, bottom: 16 };

type Series = { color: string; of: (moment: Moment) => number; dash?: boolean; label?: string };

function short(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  return size >= 1e5 || size < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}

// One canvas with curves over an abscissa.
function curve(canvas: HTMLCanvasElement, list: Moment[], across: (moment: Moment) => number, series: Series[], isPhase = false): void {
  const box = canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
  if (!box.width || !list.length) return;
  canvas.width = Math.round(box.width * ratio); canvas.height = Math.round(box.height * ratio);
  const c = canvas.getContext("2d")!, colors = colorsOf(document.documentElement), w = box.width, h = box.height;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  const top = series.some(one => one.label) ? 22 : MARGIN.top, iw = w - MARGIN.left - MARGIN.right, ih = h - top - MARGIN.bottom;
  const range = (values: Iterable<number>): [number, number] => {
    let low = Infinity, high = -Infinity;
    for (const v of values) { if (v < low) low = v; if (v > high) high = v; }
    if (low > 0 && low < 0.3 * high) low = 0;
    if (low === 0 && high === 0) return [0, 1];
    const least = Math.max(1e-9, Math.abs(high) * 0.02);
    return high - low > least ? [low, high] : [low - least, low + least];
  };
  const xs = list.map(across), all = series.map(one => list.map(one.of));
  const [x0, x1] = isPhase ? range(xs) : [xs[0], Math.max(xs[xs.length - 1], xs[0] + 1e-6)], [y0, y1] = range(all.flat());
  const px = (x: number) => MARGIN.left + (x - x0) / (x1 - x0) * iw, py = (y: number) => top + (y1 - y) / (y1 - y0) * ih;
  c.font = "10.5px system-ui, sans-serif"; c.fillStyle = colors.soft; c.strokeStyle = colors.line; c.lineWidth = 1; c.textBaseline = "middle"; c.textAlign = "right";
  c.beginPath();
  for (let k = 0; k <= 2; k++) { const y = y0 + (y1 - y0) * k / 2; c.moveTo(MARGIN.left, py(y)); c.lineTo(w - MARGIN.right, py(y)); c.fillText(short(y), MARGIN.left - 5, py(y)); }
  c.stroke();
  c.textBaseline = "alphabetic"; c.textAlign = "left"; c.fillText(short(x0) + (isPhase ? "" : " s"), MARGIN.left, h - 4);
  c.textAlign = "right"; c.fillText(short(x1) + (isPhase ? "" : " s"), w - MARGIN.right, h - 4);
  const stride = Math.max(1, Math.floor(list.length / (2 * iw)));
  series.forEach((one, n) => {
    const values = all[n];
    c.strokeStyle = colors[one.color]; c.lineWidth = 1.5; c.setLineDash(one.dash ? [5, 3] : []); c.beginPath();
    for (let i = 0; i < list.length; i += stride) { const x = px(xs[i]), y = py(values[i]); if (i) c.lineTo(x, y); else c.moveTo(x, y); }
    c.lineTo(px(xs[xs.length - 1]), py(values[values.length - 1]));
    c.stroke(); c.setLineDash([]);
    c.fillStyle = colors[one.color];
    c.beginPath(); c.arc(px(xs[xs.length - 1]), py(values[values.length - 1]), 2.4, 0, 2 * Math.PI); c.fill();
    if (one.label) { c.textAlign = "left"; c.fillText(one.label + " " + short(values[values.length - 1]), MARGIN.left + n * Math.min(108, iw / 3), 12); }
  });
}

export class Plots {
  private $ = (id: string) => document.getElementById(id) as HTMLElement;
  private body = this.$("plot-body") as HTMLSelectElement;
  private column = this.$("plot-column") as HTMLSelectElement;

  constructor(private lab: Lab, redraw: () => void) {
    for (const name of COLUMNS) this.column.add(new Option(name, name));
    this.column.value = "y";
    this.body.onchange = this.column.onchange = redraw;
  }

  // Offers the bodies of a scene; keeps the one chosen where it is still there.
  offer(fresh: boolean): void {
    const kept = fresh ? "" : this.body.value;
    this.body.textContent = "";
    this.lab.model.bodies.forEach((body, i) => { if (!body.fixed) this.body.add(new Option(body.name, String(i))); });
    if ([...this.body.options].some(option => option.value === kept)) { this.body.value = kept; return; }
    // The one that moves fastest is the likeliest to be looked at.
    const { rates } = this.lab.last, speed = (k: number) => Math.hypot(rates[3 * k], rates[3 * k + 1]);
    let fastest = 0;
    for (let k = 1; 3 * k < rates.length; k++) if (speed(k) > speed(fastest)) fastest = k;
    this.body.selectedIndex = fastest;
  }

  select(body: number): void { if (!this.lab.model.bodies[body]?.fixed) this.body.value = String(body); }

  draw(slots: Map<number, number>): void {
    const list = this.lab.history, time = (moment: Moment) => moment.t, canvas = (id: string) => this.$(id) as HTMLCanvasElement;
    curve(canvas("plot-energy"), list, time, [
      { color: "kinetic", of: m => m.kinetic, label: "kinetic" }, { color: "potential", of: m => m.potential, label: "potential" },
      { color: "total", of: m => m.kinetic + m.potential, dash: true, label: "total" }]);
    const body = Number(this.body.value), slot = slots.get(body), n = COLUMNS.indexOf(this.column.value);
    if (slot === undefined) return;
    const value = (m: Moment) => (n < 3 ? m.poses : m.rates)[3 * slot + n % 3], place = (m: Moment) => m.poses[3 * slot + n % 3], rate = (m: Moment) => m.rates[3 * slot + n % 3];
    curve(canvas("plot-value"), list, time, [{ color: "accent", of: value }]);
    this.$("phase-name").textContent = `${COLUMNS[3 + n % 3]} over ${COLUMNS[n % 3]}`;
    curve(canvas("plot-phase"), list, place, [{ color: "reaction", of: rate }], true);
    const force = (m: Moment) => {
      let sum = 0;
      for (let f = m.contacts, k = 0; k < f.length; k += CONTACT) if (f[k + 5] === body || f[k + 6] === body) sum += Math.hypot(f[k + 2], f[k + 3]);
      return sum;
    };
    curve(canvas("plot-force"), list, time, [{ color: "force", of: force }]);
  }
}
