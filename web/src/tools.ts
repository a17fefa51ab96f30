// What the pointer does: take, build, delete.
import type { Renderer } from "#draw";
import { type Point, referenceTo, tieAt, toBody } from "./geometry";
import type { Lab } from "./lab";
import type { Moment } from "./protocol";

export interface Tool { name: string; key: string; hint: string; icon: string; options: Option[] }
export interface Option { name: string; label: string; value: number | boolean; step?: number }

const fixed: Option = { name: "fixed", label: "Immovable", value: false };
const density: Option = { name: "density", label: "Density", value: 1, step: 0.1 };

export const TOOLS: Tool[] = [
  { name: "Grab", key: "1", hint: "Pull and throw bodies; in pause, move them. Drag the background to look around.", options: [],
    icon: "<path d='M8 11V5.5a1.5 1.5 0 0 1 3 0V10m0-5.5a1.5 1.5 0 0 1 3 0V10m0-4a1.5 1.5 0 0 1 3 0v8a6 6 0 0 1-6 6h-1c-2 0-3.2-1-4.2-2.6L3.5 13a1.6 1.6 0 0 1 2.6-1.8L8 13'/>" },
  { name: "Ball", key: "2", hint: "Drag from the centre.", options: [density, fixed], icon: "<circle cx='12' cy='12' r='8'/><path d='M12 12h5'/>" },
  { name: "Block", key: "3", hint: "Drag from corner to corner.", options: [density, fixed], icon: "<rect x='4' y='7' width='16' height='10' rx='1'/>" },
  { name: "Polygon", key: "4", hint: "Click the corners; close at the first one, or with a double click.", options: [density, fixed], icon: "<path d='M5 18 7 6l9-2 4 9-6 7z'/>" },
  { name: "Pin", key: "5", hint: "Click where two bodies, or a body and the background, are to turn about.", options: [], icon: "<circle cx='12' cy='12' r='3'/><path d='M12 3v6m0 6v6'/>" },
  { name: "Rod", key: "6", hint: "Drag from end to end.", options: [], icon: "<path d='M6 18 18 6'/><circle cx='5' cy='19' r='1.8'/><circle cx='19' cy='5' r='1.8'/>" },
  { name: "Rope", key: "7", hint: "Drag from end to end: it is taut at that length times slack.", options: [{ name: "slack", label: "Slack", value: 1, step: 0.1 }], icon: "<path d='M5 5c0 14 14 14 14 0'/><circle cx='5' cy='4' r='1.5'/><circle cx='19' cy='4' r='1.5'/>" },
  { name: "Spring", key: "8", hint: "Drag from end to end: it is relaxed at that length.", options: [{ name: "stiffness", label: "Stiffness", value: 50, step: 5 }, { name: "damping", label: "Damping", value: 0.5, step: 0.1 }],
    icon: "<path d='M12 2v3l5 2-10 3 10 3-10 3 5 2v4'/>" },
  { name: "Motor", key: "9", hint: "Click on a body: it is driven about that point; a pin is added where there is none.", options: [{ name: "speed", label: "Speed (rad/s)", value: 2, step: 0.5 }, { name: "limit", label: "Torque limit", value: 100, step: 10 }],
    icon: "<path d='M19 12a7 7 0 1 1-3-5.7'/><path d='M20 3v5h-5'/><circle cx='12' cy='12' r='1.5'/>" },
  { name: "Delete", key: "0", hint: "Click a body, joint, rope or spring.", options: [], icon: "<path d='M4 7h16M9 7V4h6v3m-8 0 1 13h8l1-13'/>" },
];

const round = (value: number) => Number(value.toPrecision(6));
const corner = (p: Point): Point => [round(p[0]), round(p[1])];

// What is under way: a point pressed, corners set so far.
export class Hand {
  tool = TOOLS[0];
  values: Record<string, number | boolean> = {};
  from: Point | null = null;
  to: Point | null = null;
  corners: Point[] = [];

  constructor(private lab: Lab, private renderer: Renderer) {
    for (const tool of TOOLS) for (const option of tool.options) this.values[option.name] = option.value;
  }

  choose(tool: Tool): void { this.tool = tool; this.clear(); }
  clear(): void { this.from = this.to = null; this.corners = []; }

  private free(stem: string): string {
    const { doc } = this.lab, taken = new Set([...doc.bodies, ...(doc.connectors ?? []), ...(doc.force_laws ?? [])].map(of => (of as { name?: string }).name));
    let k = 1;
    while (taken.has(stem + k)) k += 1;
    return stem + k;
  }

  press(at: Point): void { this.from = at; this.to = at; }
  move(at: Point): void { this.to = at; }

  async release(at: Point, moment: Moment): Promise<void> {
    const from = this.from, far = from ? Math.hypot(at[0] - from[0], at[1] - from[1]) * this.renderer.camera.scale : 0;
    this.from = this.to = null;
    if (!from) return;
    switch (this.tool.name) {
      case "Ball": if (far > 3) await this.body("ball", { type: "ball", radius: round(Math.hypot(at[0] - from[0], at[1] - from[1])) }, from, Math.PI * (at[0] - from[0]) ** 2 + Math.PI * (at[1] - from[1]) ** 2); return;
      case "Block": {
        const w = Math.abs(at[0] - from[0]), h = Math.abs(at[1] - from[1]);
        if (far > 3 && w > 0 && h > 0) await this.body("block", { type: "block", width: round(w), height: round(h) }, [(at[0] + from[0]) / 2, (at[1] + from[1]) / 2], w * h);
        return;
      }
      case "Polygon": return this.corner(at);
      case "Pin": await this.pin(at, moment); return;
      case "Motor": return this.motor(at, moment);
      case "Rod": case "Rope": case "Spring": if (far > 5) await this.line(from, at, moment); return;
      case "Delete": return this.remove(at, moment);
    }
  }

  async corner(at: Point): Promise<void> {
    const [first] = this.corners, { scale } = this.renderer.camera;
    const near = (p: Point | undefined) => p !== undefined && Math.hypot(at[0] - p[0], at[1] - p[1]) * scale < 10;
    if (this.corners.length >= 3 && (near(first) || near(this.corners[this.corners.length - 1]))) {
      const points = this.corners;
      this.corners = [];
      let area = 0;
      points.forEach(([x, y], i) => { const [u, v] = points[(i + 1) % points.length]; area += (x * v - u * y) / 2; });
      const turned = area < 0 ? [...points].reverse() : points;
      await this.body("polygon", { type: "polygon", points: turned.map(corner) }, null, Math.abs(area));
    } else if (!near(this.corners[this.corners.length - 1])) this.corners.push(at);
  }

  private async body(stem: string, shape: object, at: Point | null, area: number): Promise<void> {
    const { values } = this, is = values.fixed === true;
    const entry: Record<string, unknown> = { name: this.free(stem), shape };
    if (at) entry.position = corner(at); else { entry.position = [0, 0]; entry.origin = "shape"; }
    if (is) entry.fixed = true; else entry.mass = round(Math.max(1e-6, area * Number(values.density)));
    const friction = this.lab.doc.bodies.find(body => body.friction !== undefined)?.friction;
    if (friction !== undefined) entry.friction = friction;
    const faults = await this.lab.tryEdit("insert", "bodies", JSON.stringify(entry));
    if (!faults) return;
    const others = this.under(shape, at);
    if (faults.some(fault => fault.message.includes("deep inside")) && others.length) {
      // What is drawn over bodies is meant to stand there: it does not collide with these.
      entry.no_collide = others.map(body => referenceTo(body, this.lab.doc));
      const again = await this.lab.tryEdit("insert", "bodies", JSON.stringify(entry));
      if (!again) this.lab.onSay(`${entry.name as string} stands over ${others.map(body => this.lab.model.bodies[body].name).join(", ")}: they do not collide.`);
      else this.lab.onSay(again[0].message);
    } else this.lab.onSay(faults[0].message);
  }

  // Bodies under a new one, looked for at many places of it.
  private under(shape: object, at: Point | null): number[] {
    const s = shape as { radius?: number; width?: number; height?: number; points?: Point[] }, found = new Set<number>(), { renderer, lab } = this;
    const look = (x: number, y: number) => {
      const [px, py] = renderer.toScreen(x, y);
      lab.model.bodies.forEach((_, i) => { if (renderer.hits(lab.last, i, px, py)) found.add(i); });
    };
    const xs = s.points?.map(p => p[0]) ?? [at![0] - (s.radius ?? s.width! / 2), at![0] + (s.radius ?? s.width! / 2)];
    const ys = s.points?.map(p => p[1]) ?? [at![1] - (s.radius ?? s.height! / 2), at![1] + (s.radius ?? s.height! / 2)];
    const [l, r, b, t] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    for (let i = 0; i <= 24; i++) for (let k = 0; k <= 24; k++) look(l + (r - l) * i / 24, b + (t - b) * k / 24);
    return [...found];
  }

  // The two uppermost bodies at a place; the background where there are fewer.
  private pair(at: Point, moment: Moment): [number, number] {
    const [px, py] = this.renderer.toScreen(...at), all: number[] = [];
    this.lab.model.bodies.forEach((_, i) => { if (this.renderer.hits(moment, i, px, py)) all.push(i); });
    const top = all.pop() ?? -1;
    return [all.pop() ?? -1, top];
  }

  private ends(a: number, at: Point, b: number, to: Point, moment: Moment): Record<string, unknown> {
    const end = (body: number, point: Point) => corner(toBody(this.renderer, moment, body, point));
    const { doc } = this.lab;
    return { body_a: referenceTo(a, doc), point_a: end(a, at), body_b: referenceTo(b, doc), point_b: end(b, to) };
  }

  private bothFixed(a: number, b: number): boolean {
    const still = (body: number) => body < 0 || this.lab.model.bodies[body].fixed;
    if (!still(a) || !still(b)) return false;
    this.lab.onSay("One of the two must be a body that moves.");
    return true;
  }

  private async pin(at: Point, moment: Moment): Promise<boolean | void> {
    const [a, b] = this.pair(at, moment);
    if (this.bothFixed(a, b)) return;
    return this.lab.edit("insert", "connectors", JSON.stringify({ type: "pin", name: this.free("pin"), ...this.ends(a, at, b, at, moment) }));
  }

  private async motor(at: Point, moment: Moment): Promise<void> {
    const [a, b] = this.pair(at, moment);
    if (this.bothFixed(a, b)) return;
    const { renderer, lab } = this, there = tieAt(renderer, moment, lab.model, lab.doc, renderer.toScreen(...at), 14);
    const pinned = there?.kind === "pin" ? (lab.doc.connectors ?? [])[there.place] : null;
    if (!pinned && !await this.lab.edit("insert", "connectors", JSON.stringify({ type: "pin", name: this.free("pin"), ...this.ends(a, at, b, at, moment) }))) return;
    const bodies = pinned ? { body_a: pinned.body_a, body_b: pinned.body_b } : { body_a: referenceTo(a, lab.doc), body_b: referenceTo(b, lab.doc) };
    await lab.edit("insert", "connectors", JSON.stringify({ type: "motor", name: this.free("motor"), ...bodies, speed: Number(this.values.speed), limit: Number(this.values.limit) }));
  }

  private async line(from: Point, to: Point, moment: Moment): Promise<void> {
    const [, a] = this.pair(from, moment), [, b] = this.pair(to, moment), length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (a === b) { this.lab.onSay("The two ends must be on different bodies."); return; }
    if (this.bothFixed(a, b)) return;
    // The second end is that of a body that moves, if only one of them does.
    const swap = b < 0 || this.lab.model.bodies[b].fixed, ends = swap ? this.ends(b, to, a, from, moment) : this.ends(a, from, b, to, moment);
    const { values } = this;
    if (this.tool.name === "Spring") {
      await this.lab.edit("insert", "force_laws", JSON.stringify({ type: "spring", ...ends, rest_length: round(length), stiffness: Number(values.stiffness), damping: Number(values.damping) }));
    } else {
      const slack = this.tool.name === "Rope" ? Math.max(1, Number(values.slack)) : 1;
      // Rounded up, so that a rope is not too short by a rounding.
      const exact = this.tool.name === "Rope" ? Math.ceil(length * slack * 1e6) / 1e6 : length;
      await this.lab.edit("insert", "connectors", JSON.stringify({ type: this.tool.name.toLowerCase(), ...ends, length: exact }));
    }
  }

  private async remove(at: Point, moment: Moment): Promise<void> {
    const { renderer, lab } = this, [px, py] = renderer.toScreen(...at), tie = tieAt(renderer, moment, lab.model, lab.doc, [px, py]);
    if (tie) { await lab.edit("remove", tie.list, tie.place); return; }
    const body = renderer.bodyAt(moment, px, py);
    if (body >= 0) await lab.edit("remove", "bodies", body);
  }

  // What is under way, over the picture.
  draw(): void {
    const { c, colors } = this.renderer, screen = (p: Point) => this.renderer.toScreen(...p);
    c.strokeStyle = colors.accent; c.fillStyle = colors.accent; c.lineWidth = 2; c.setLineDash([6, 4]);
    c.beginPath();
    if (this.corners.length) {
      this.corners.forEach((p, i) => { const [x, y] = screen(p); if (i) c.lineTo(x, y); else c.moveTo(x, y); });
      if (this.to) c.lineTo(...screen(this.to));
    } else if (this.from && this.to) {
      const [x, y] = screen(this.from), [u, v] = screen(this.to);
      if (this.tool.name === "Ball") c.arc(x, y, Math.hypot(u - x, v - y), 0, 2 * Math.PI);
      else if (this.tool.name === "Block") c.rect(Math.min(x, u), Math.min(y, v), Math.abs(u - x), Math.abs(v - y));
      else if (["Rod", "Rope", "Spring"].includes(this.tool.name)) { c.moveTo(x, y); c.lineTo(u, v); }
    }
    c.stroke(); c.setLineDash([]);
    for (const p of this.corners) { c.beginPath(); c.arc(...screen(p), 4, 0, 2 * Math.PI); c.fill(); }
  }

  // Sizes of what is being drawn, for the tip.
  get size(): string {
    const { from, to } = this;
    if (!from || !to) return "";
    const dx = to[0] - from[0], dy = to[1] - from[1], n = (value: number) => Math.abs(value).toPrecision(3);
    if (this.tool.name === "Block") return `${n(dx)} × ${n(dy)} m`;
    if (["Ball", "Rod", "Rope", "Spring"].includes(this.tool.name)) return `${n(Math.hypot(dx, dy))} m`;
    return "";
  }
}
