// What mouse and fingers do on the picture: one takes or builds, two move and zoom it, a long press or the right button asks what can be done.
import type { Renderer } from "#draw";
import { type Point, tieAt } from "./geometry";
import type { Lab } from "./lab";
import type { Hand } from "./tools";

const LONG = 550; // milliseconds that a finger rests until the menu opens
const STILL = 8; // pixels that it may move meanwhile

// What the pointer needs of the page.
export interface Page {
  lab: Lab; renderer: Renderer; hand: Hand; canvas: HTMLCanvasElement;
  choose(body: number): void; // a body is the one that is shown, or none
  look(at: Point): void; // tells what is under the pointer
  tell(text: string, at: Point): void;
  about(at: Point): string;
  plot(): void;
  fit(): void;
  moved(): void; // the picture is no longer the one that fits
  changed(): void;
}

export class Pointer {
  // A body that is moved by hand in pause.
  dragged: { body: number; from: Point; pose: [number, number, number]; moved: boolean } | null = null;
  private down = new Map<number, Point>();
  private panning = false;
  private holding = false;
  private wait: Promise<unknown> = Promise.resolve();
  private resting = 0;
  private pressed: Point = [0, 0];

  constructor(private page: Page, private menu: HTMLElement) {
    const { canvas } = page, at = (event: MouseEvent): Point => [event.offsetX, event.offsetY];
    canvas.addEventListener("pointerdown", event => this.press(event, at(event)));
    canvas.addEventListener("pointermove", event => this.move(event, at(event)));
    canvas.addEventListener("pointerup", event => this.lift(event, at(event)));
    canvas.addEventListener("pointercancel", event => { this.down.delete(event.pointerId); this.giveUp(); this.panning = this.down.size > 0; });
    canvas.addEventListener("pointerleave", () => { if (!this.down.size) page.tell("", [0, 0]); });
    // The browser makes no gesture of its own of a finger: after one that left in motion it takes the next tap, anywhere, for what stops a
    // fling, and a button pressed right after a throw would do nothing.
    canvas.addEventListener("touchstart", event => event.preventDefault(), { passive: false });
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      page.renderer.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.03 : 0.0015)), event.offsetX, event.offsetY);
      page.moved();
    }, { passive: false });
    // The right button or the key for it; a finger has its own time.
    canvas.addEventListener("contextmenu", event => { event.preventDefault(); if (!this.down.size && page.lab.last) this.ask(at(event)); });
    addEventListener("pointerdown", event => { if (!menu.contains(event.target as Node)) this.close(); }, true);
    menu.addEventListener("keydown", event => { if (event.key === "Escape") { event.stopPropagation(); this.close(); canvas.focus({ preventScroll: true }); } });
  }

  close(): void { this.menu.hidden = true; }

  private world(at: Point): Point { return this.page.renderer.toWorld(...at); }

  private press(event: PointerEvent, at: Point): void {
    const { page } = this, { lab, renderer, hand, canvas } = page;
    if (event.button === 2) return;
    canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, at);
    page.tell("", at);
    canvas.focus({ preventScroll: true });
    // A second finger means the picture: what the first one began is taken back, corners that are set stay.
    if (this.down.size > 1 || event.button === 1 || !lab.last) { this.giveUp(); this.panning = true; return; }
    if (event.pointerType !== "mouse") { this.pressed = at; this.resting = window.setTimeout(() => { this.giveUp(); this.panning = true; this.ask(at); }, LONG); }
    if (hand.tool.name !== "Grab") { hand.press(this.world(at)); page.changed(); return; }
    const moment = lab.shown(), body = renderer.bodyAt(moment, ...at);
    page.choose(body);
    if (body < 0 || lab.model.bodies[body].fixed && lab.playing) { this.panning = body < 0; return; }
    if (lab.playing) {
      // A hand that holds a body still means to hold it.
      clearTimeout(this.resting);
      this.holding = true;
      const [x, y] = this.world(at);
      this.wait = lab.engine.ask("take", body, x, y);
    } else this.dragged = { body, from: this.world(at), pose: [...renderer.pose(moment, body)] as [number, number, number], moved: false };
  }

  private move(event: PointerEvent, here: Point): void {
    const { page, dragged } = this, { lab, renderer, hand } = page, from = this.down.get(event.pointerId);
    if (!from) { if (hand.corners.length) { hand.move(this.world(here)); page.changed(); } page.look(here); return; }
    if (Math.hypot(here[0] - this.pressed[0], here[1] - this.pressed[1]) > STILL) clearTimeout(this.resting);
    const other = [...this.down.entries()].find(([id]) => id !== event.pointerId);
    if (other) {
      const o = other[1], a = Math.hypot(from[0] - o[0], from[1] - o[1]), b = Math.hypot(here[0] - o[0], here[1] - o[1]);
      if (a > 4) renderer.zoom(b / a, (o[0] + here[0]) / 2, (o[1] + here[1]) / 2);
      renderer.pan((here[0] - from[0]) / 2, (here[1] - from[1]) / 2);
      page.moved();
    } else if (this.panning) { renderer.pan(here[0] - from[0], here[1] - from[1]); page.moved(); } else if (this.holding) {
      const [x, y] = this.world(here);
      void lab.engine.ask("drag_to", x, y);
    } else if (dragged) {
      const [x, y] = this.world(here), [u, v] = this.world(from);
      if (Math.hypot(x - dragged.from[0], y - dragged.from[1]) * renderer.camera.scale > 3) dragged.moved = true;
      dragged.pose[0] += x - u; dragged.pose[1] += y - v;
    } else { hand.move(this.world(here)); page.tell(hand.size, here); }
    this.down.set(event.pointerId, here);
    page.changed();
  }

  private lift(event: PointerEvent, at: Point): void {
    const { page } = this, { lab, hand } = page;
    clearTimeout(this.resting);
    if (!this.down.delete(event.pointerId)) return;
    if (!this.panning && hand.from) void hand.release(this.world(at), lab.shown()).then(() => page.changed());
    const put = this.dragged;
    this.letGo();
    if (put?.moved) void lab.edit("place", put.body, ...put.pose).then(() => page.changed());
    if (!this.down.size) this.panning = false;
    page.tell("", at);
    page.changed();
  }

  private letGo(): void {
    if (this.holding) void this.wait.then(() => this.page.lab.engine.ask("release"));
    this.holding = false;
    this.dragged = null;
  }

  // Takes back what is under way.
  private giveUp(): void {
    clearTimeout(this.resting);
    this.page.hand.from = this.page.hand.to = null;
    this.letGo();
    this.page.changed();
  }

  // What is under a place, and what can be done with it.
  private ask(at: Point): void {
    const { page, menu } = this, { lab, renderer } = page, moment = lab.shown();
    const tie = tieAt(renderer, moment, lab.model, lab.doc, at, 14), body = renderer.bodyAt(moment, ...at), name = body < 0 ? "" : lab.model.bodies[body].name;
    const title = document.createElement("p");
    title.textContent = page.about(at) || "Background";
    menu.replaceChildren(title);
    const offer = (text: string, act: () => unknown) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("role", "menuitem");
      button.textContent = text;
      button.addEventListener("click", () => { this.close(); void act(); });
      menu.append(button);
    };
    if (body >= 0) {
      page.choose(body);
      offer(`Plots of ${name}`, () => page.plot());
      offer(`Delete ${name}`, () => { page.choose(-1); return lab.edit("remove", "bodies", body); });
    }
    if (tie) offer(`Delete the ${tie.kind}`, () => lab.edit("remove", tie.list, tie.place));
    if (page.hand.corners.length) offer("Take the last corner back", () => { page.hand.corners.pop(); page.changed(); });
    offer("Fit the picture", () => page.fit());
    page.tell("", at);
    menu.hidden = false;
    menu.style.left = `${Math.max(4, Math.min(at[0] + 6, renderer.w - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(at[1] + 6, renderer.h - menu.offsetHeight - 4))}px`;
    menu.querySelector("button")?.focus({ preventScroll: true });
    page.changed();
  }
}
