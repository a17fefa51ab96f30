// Where things of the scene are in the picture.
import type { Frame, Renderer } from "#draw";
import type { Doc } from "./lab";
import type { Model } from "./protocol";

export type Point = [number, number];

// The body that a reference of the scene means; −1 for the ground.
export function bodyOf(reference: unknown, model: Model): number {
  if (typeof reference === "number") return reference;
  const plain = (word: string) => word.toLowerCase().replace(/[\s_-]+/g, "_");
  if (typeof reference !== "string" || plain(reference) === "ground") return -1;
  return model.bodies.findIndex(body => plain(body.name) === plain(reference));
}

// How the scene calls a body: by its name if it gave one.
export function referenceTo(body: number, doc: Doc): string | number { return body < 0 ? "ground" : doc.bodies[body].name ?? body; }

// A world point in the coordinates of a body's shape, and back.
export function toBody(renderer: Renderer, frame: Frame, body: number, [x, y]: Point): Point {
  if (body < 0) return [x, y];
  const [px, py, angle] = renderer.pose(frame, body), cos = Math.cos(angle), sin = Math.sin(angle), c = renderer.model.bodies[body].center;
  return [c[0] + (x - px) * cos + (y - py) * sin, c[1] - (x - px) * sin + (y - py) * cos];
}
export function toWorld(renderer: Renderer, frame: Frame, body: number, [x, y]: Point): Point {
  if (body < 0) return [x, y];
  const [px, py, angle] = renderer.pose(frame, body), cos = Math.cos(angle), sin = Math.sin(angle), c = renderer.model.bodies[body].center;
  return [px + (x - c[0]) * cos - (y - c[1]) * sin, py + (x - c[0]) * sin + (y - c[1]) * cos];
}

function away([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
  const part = square > 0 ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / square)) : 0;
  return Math.hypot(px - ax - part * dx, py - ay - part * dy);
}

// The connector or spring nearest to a place of the picture, within some pixels.
export function tieAt(renderer: Renderer, frame: Frame, model: Model, doc: Doc, at: Point, within = 9): { list: string; place: number; kind: string } | null {
  let found: { list: string; place: number; kind: string } | null = null, nearest = within;
  for (const list of ["connectors", "force_laws"] as const) {
    (doc[list] ?? []).forEach((entry, place) => {
      if (entry.body_b === undefined && entry.body === undefined) return;
      const end = (body: unknown, point: unknown) => renderer.toScreen(...toWorld(renderer, frame, bodyOf(body, model), (point as Point | undefined) ?? [0, 0]));
      if (list === "force_laws" && entry.type !== "spring") return;
      const b = end(entry.body_b ?? entry.body, entry.point_b ?? entry.point), isLine = ["rod", "rope", "spring"].includes(entry.type as string);
      const distance = isLine ? away(at, end(entry.body_a, entry.point_a), b) : Math.hypot(at[0] - b[0], at[1] - b[1]);
      if (distance < nearest) { nearest = distance; found = { list, place, kind: entry.type as string }; }
    });
  }
  return found;
}

// What the picture shows at first: the scene's view, else what moves with what stands around it.
export function viewOf(model: Model, renderer: Renderer, frame: Frame): [number, number, number, number] {
  if (model.view) return model.view;
  const box = (which: (fixed: boolean) => boolean) => {
    const all: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    model.bodies.forEach((body, i) => {
      if (!which(body.fixed)) return;
      const [x, y, angle] = renderer.pose(frame, i), cos = Math.cos(angle), sin = Math.sin(angle);
      for (const path of body.paths) for (let k = 0; k < path.length; k += 2) {
        const px = x + path[k] * cos - path[k + 1] * sin, py = y + path[k] * sin + path[k + 1] * cos;
        all[0] = Math.min(all[0], px); all[1] = Math.min(all[1], py); all[2] = Math.max(all[2], px); all[3] = Math.max(all[3], py);
      }
    });
    return all;
  };
  let moving = box(fixed => !fixed);
  if (!(moving[0] <= moving[2])) moving = box(() => true);
  if (!(moving[0] <= moving[2])) return [-6, -1, 6, 7];
  const size = Math.max(moving[2] - moving[0], moving[3] - moving[1], 1), around = box(fixed => fixed);
  const low = (value: number, other: number) => Math.min(value - 0.15 * size, Math.max(other, value - 1.2 * size));
  const high = (value: number, other: number) => Math.max(value + 0.15 * size, Math.min(other, value + 1.2 * size));
  return [low(moving[0], around[0]), low(moving[1], around[1]), high(moving[2], around[2]), high(moving[3], around[3])];
}

// Bodies that hang together through contacts, by number; a colour for each of several.
export function islands(model: Model, frame: Frame, stride: number): number[] {
  const parent = model.bodies.map((_, i) => i);
  const root = (i: number): number => { while (parent[i] !== i) i = parent[i] = parent[parent[i]]; return i; };
  const join = (a: number, b: number) => { if (a >= 0 && b >= 0 && !model.bodies[a].fixed && !model.bodies[b].fixed) parent[root(a)] = root(b); };
  for (let f = frame.contacts, k = 0; k < f.length; k += stride) join(f[k + 5], f[k + 6]);
  for (const tie of model.ties) if (tie.kind !== "spring") join(tie.ends[0][0], tie.ends[1][0]);
  for (const joint of model.joints) if (joint.bodies.length === 2) join(joint.bodies[0], joint.bodies[1]);
  return parent.map((_, i) => root(i));
}
