// The panels beside the world: what is shown, sliders, the body chosen, events.
import type { Renderer } from "#draw";
import type { Lab } from "./lab";
import type { Moment } from "./protocol";

const $ = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const SHOWN: [string, string, boolean, string][] = [
  ["forces", "Contact forces", true, "force"], ["contacts", "Contact points", true, "stick"], ["reactions", "Reactions", false, "reaction"],
  ["chains", "Force chains", false, "force"], ["speeds", "Velocities", false, "speed"], ["centres", "Centres of mass", false, ""],
  ["hits", "Collisions", true, "kinetic"], ["islands", "Islands", false, ""], ["gaps", "Gap heat", false, ""], ["names", "Names", false, ""],
];
const MARKS: Record<string, string> = { collision: "--kinetic", stick: "--stick", slide: "--slip", broken: "--bad", user: "--accent", jam: "--bad", contact_begin: "--good" };
const TABS = ["world", "plots", "text", "events"];
const LISTED = 300; // events listed
// Time steps offered: from a tenth of a millisecond to a tenth of a second.
const stepAt = (place: number) => Number((1e-4 * Math.pow(1000, place / 100)).toPrecision(2));

export class Panels {
  show: Record<string, boolean> = {};
  private timers: Record<string, number> = {};

  constructor(private lab: Lab, private on: { tab: () => void; show: () => void }) {
    for (const [name, label, value, mark] of SHOWN) {
      const box = document.createElement("label"), input = document.createElement("input"), dot = document.createElement("i");
      this.show[name] = value;
      input.type = "checkbox";
      input.checked = value;
      input.id = `show-${name}`;
      input.addEventListener("change", () => { this.show[name] = input.checked; on.show(); });
      if (mark) dot.style.setProperty("--mark", `var(--${mark})`);
      box.append(input, label, dot);
      $("checks").append(box);
    }
    TABS.forEach((name, k) => {
      const tab = $(`tab-${name}`);
      tab.addEventListener("click", () => this.open(name));
      tab.addEventListener("keydown", event => {
        const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!move) return;
        event.preventDefault();
        const next = TABS[(k + move + TABS.length) % TABS.length];
        this.open(next);
        $(`tab-${next}`).focus();
      });
    });
    this.slider("gravity", "set_gravity", value => value, value => `${value.toFixed(2)}`);
    this.slider("friction", "set_friction", value => value, value => value.toFixed(2));
    this.slider("restitution", "set_restitution", value => value, value => value.toFixed(2));
    this.slider("time-step", "set_time_step", stepAt, value => `${(1000 * value).toPrecision(2).replace(/\.0$/, "")} ms`);
    $("clock-kind").addEventListener("change", () => void lab.edit("set_clock", $<HTMLSelectElement>("clock-kind").value).then(done => { if (!done) this.scene(); }));
  }

  // A slider changes the scene a moment after it rests, so that a drag is one change.
  private slider(id: string, op: string, value: (raw: number) => number, text: (value: number) => string): void {
    const input = $<HTMLInputElement>(id), output = document.querySelector<HTMLOutputElement>(`output[for="${id}"]`)!;
    input.addEventListener("input", () => {
      const now = value(Number(input.value));
      output.textContent = text(now);
      clearTimeout(this.timers[id]);
      this.timers[id] = window.setTimeout(() => void this.lab.edit(op, now).then(done => { if (!done) this.scene(); }), 120);
    });
  }

  private put(id: string, place: number | null, text: string): void {
    const input = $<HTMLInputElement>(id);
    if (place !== null && document.activeElement !== input) input.value = String(place);
    document.querySelector<HTMLOutputElement>(`output[for="${id}"]`)!.textContent = text;
  }

  open(name: string): void {
    for (const one of TABS) {
      const tab = $(`tab-${one}`), is = one === name;
      tab.setAttribute("aria-selected", String(is));
      tab.tabIndex = is ? 0 : -1;
      $(`panel-${one}`).hidden = !is;
    }
    document.body.dataset.tab = name;
    if (name === "events") this.events();
    this.on.tab();
  }

  isOpen(name: string): boolean { return !$(`panel-${name}`).hidden; }

  // Shows what a scene says.
  scene(): void {
    const { doc, model } = this.lab;
    $("about").textContent = model.description ?? "";
    const gravity = (doc.force_laws ?? []).find(law => law.type === "gravity")?.strength;
    this.put("gravity", typeof gravity === "number" ? gravity : 0, typeof gravity === "number" ? gravity.toFixed(2) : "none");
    const several = (list: unknown[]) => new Set(list.map(value => JSON.stringify(value))).size > 1;
    const frictions = doc.bodies.map(body => body.friction), elasticities = doc.bodies.map(body => body.elasticity);
    const one = (list: unknown[]) => list.find(value => typeof value === "number") as number | undefined;
    this.put("friction", one(frictions) ?? 0, several(frictions) ? "several" : one(frictions)?.toFixed(2) ?? (frictions[0] === undefined ? "none" : "own"));
    this.put("restitution", one(elasticities) ?? 0.8, several(elasticities) ? "several" : one(elasticities)?.toFixed(2) ?? "own");
    this.put("time-step", 100 * Math.log10(model.time_step / 1e-4) / 3, `${Number((1000 * model.time_step).toPrecision(3))} ms`);
    const clock = doc.settings?.clock, kind = typeof clock === "string" ? clock : clock?.type ?? "located";
    const select = $<HTMLSelectElement>("clock-kind");
    select.value = [...select.options].some(option => option.value === kind) ? kind : "own";
    if (!this.lab.events.length) $("events").textContent = "";
  }

  events(): void {
    if (!this.isOpen("events")) return;
    const list = $("events");
    list.textContent = "";
    for (const event of this.lab.events.slice(-LISTED).reverse()) {
      const item = document.createElement("li");
      item.textContent = event.text.replace(/\bbody (\d+)/g, (words, place: string) => this.lab.model.bodies[Number(place)]?.name ?? words);
      item.style.setProperty("--mark", `var(${MARKS[event.kind] ?? "--line"})`);
      list.append(item);
    }
    if (!this.lab.events.length) { const item = document.createElement("li"); item.textContent = "Nothing has happened yet."; list.append(item); }
  }

  private bodyShown = "";
  body(selected: number, moment: Moment, renderer: Renderer): void {
    if (!this.isOpen("world")) return;
    const box = $("body"), body = this.lab.model.bodies[selected];
    if (!body) {
      if (this.bodyShown !== "none") { box.innerHTML = "<p>Click a body to see its values.</p>"; this.bodyShown = "none"; }
      return;
    }
    const p = renderer.pose(moment, selected), slot = renderer.slot.get(selected), rows: [string, string][] = [["x", p[0].toPrecision(6)], ["y", p[1].toPrecision(6)], ["angle", p[2].toPrecision(6) + " rad"]];
    if (slot !== undefined) {
      const [vx, vy, spin] = [0, 1, 2].map(k => moment.rates[3 * slot + k]);
      rows.push(["vx", vx.toPrecision(5)], ["vy", vy.toPrecision(5)], ["spin", spin.toPrecision(5)]);
      if (body.mass > 0) rows.push(["mass", String(Number(body.mass.toPrecision(6)))], ["kinetic energy", (0.5 * body.mass * (vx * vx + vy * vy) + 0.5 * body.moment * spin * spin).toPrecision(5)]);
    }
    const words = body.name + JSON.stringify(rows);
    if (words === this.bodyShown) return;
    this.bodyShown = words;
    const table = document.createElement("table"), caption = table.createCaption();
    caption.textContent = body.name + (body.fixed ? " (immovable)" : "");
    for (const [name, value] of rows) { const row = table.insertRow(); row.insertCell().textContent = name; row.insertCell().textContent = value; }
    box.replaceChildren(table);
  }
}
