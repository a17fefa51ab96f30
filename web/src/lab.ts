// The state of the lab: the scene, the moment shown, and how time passes.
import { Engine, EngineError } from "./engine";
import { pretty } from "./format";
import type { Fault, Happening, Loaded, Model, Moment, Stepped } from "./protocol";

// What the scene's text says once it is read: enough to know what stands where.
export interface Doc {
  bodies: { name?: string; fixed?: boolean; friction?: unknown; elasticity?: number; shape: { type: string } }[];
  connectors?: Record<string, unknown>[]; force_laws?: Record<string, unknown>[];
  settings?: { clock?: string | { type: string }; time_step?: number };
}

const KEPT = 6000; // moments kept for plots, at most
const KEPT_NUMBERS = 4e6; // numbers in all of them, which bounds their memory
const MOST_STEPS = 200; // steps asked for at once

export class Lab {
  engine = new Engine();
  model!: Model;
  doc!: Doc;
  text = "";
  history: Moment[] = [];
  events: Happening[] = [];
  hits: [number, number, number, number][] = [];
  largestHit = 0;
  playing = false;
  speed = 1;
  digestOf = "";
  private wanted = 0; // simulated time that should be shown
  private busy = false;
  private before = 0;
  private pace = 1;
  private undone: string[] = [];
  private done: string[] = [];
  // Who is told: a scene is there; a moment is there; something must be said; undo and play have changed.
  onScene: (fresh: boolean) => void = () => {};
  onMoment: () => void = () => {};
  onEvents: (events: Happening[]) => void = () => {};
  onSay: (text: string) => void = () => {};
  onState: () => void = () => {};

  get last(): Moment { return this.history[this.history.length - 1]; }
  get canUndo(): boolean { return this.done.length > 0; }
  get canRedo(): boolean { return this.undone.length > 0; }
  get paceNow(): number { return this.pace; }

  // Loads a text; its mistakes are thrown. `fresh`: another scene, not a change of this one.
  async load(text: string, fresh: boolean, record = true): Promise<void> {
    const { value, frames } = await this.engine.ask<Loaded>("load", text);
    if (record && this.text) this.remember();
    this.adopt(value, frames, fresh, text);
  }

  private remember(): void {
    this.done.push(this.text);
    if (this.done.length > 100) this.done.shift();
    this.undone = [];
  }

  private adopt(value: Loaded, frames: Moment[], fresh: boolean, text?: string): void {
    this.model = value.model;
    this.doc = JSON.parse(value.text) as Doc;
    this.text = text ?? pretty(value.text);
    this.startFrom(frames[0], fresh);
    this.onScene(fresh);
    this.onState();
  }

  private startFrom(moment: Moment, clear: boolean): void {
    // A change goes on from the moment shown: the plots of before stay where the bodies are the same.
    const same = !clear && this.last && this.last.t <= moment.t && this.last.poses.length === moment.poses.length;
    if (!same) { this.history = []; this.events = []; this.hits = []; this.largestHit = 0; }
    this.history.push(moment);
    this.wanted = moment.t;
  }

  // A change of the scene by hand.
  async edit(op: string, ...args: unknown[]): Promise<boolean> {
    try {
      const { value, frames } = await this.engine.ask<Loaded>(op, ...args);
      this.remember();
      this.adopt(value, frames, false);
      return true;
    } catch (error) {
      this.onSay((error as Error).message);
      return false;
    }
  }

  // As an edit, but what is wrong is the caller's to deal with.
  async tryEdit(op: string, ...args: unknown[]): Promise<Fault[] | null> {
    try {
      const { value, frames } = await this.engine.ask<Loaded>(op, ...args);
      this.remember();
      this.adopt(value, frames, false);
      return null;
    } catch (error) {
      if (error instanceof EngineError && error.faults.length) return error.faults;
      return [{ path: "", message: (error as Error).message, line: 1, column: 1 }];
    }
  }

  async undo(): Promise<void> { await this.swap(this.done, this.undone); }
  async redo(): Promise<void> { await this.swap(this.undone, this.done); }

  private async swap(from: string[], to: string[]): Promise<void> {
    const text = from.pop();
    if (text === undefined) return;
    to.push(this.text);
    await this.load(text, true, false).catch(error => this.onSay((error as Error).message));
  }

  setPlaying(playing: boolean): void {
    this.playing = playing;
    this.before = 0;
    if (this.last) this.wanted = this.last.t;
    this.onState();
  }

  async step(): Promise<void> {
    this.setPlaying(false);
    await this.advance(1);
    if (this.last) this.wanted = this.last.t;
  }

  async back(): Promise<void> {
    this.setPlaying(false);
    const { value, frames } = await this.engine.ask<boolean>("back");
    if (!value) { this.onSay("No earlier step is kept."); return; }
    this.history = this.history.filter(moment => moment.t < frames[0].t);
    this.history.push(frames[0]);
    this.wanted = frames[0].t;
    this.onMoment();
  }

  async reset(): Promise<void> {
    const { frames } = await this.engine.ask<boolean>("reset");
    this.startFrom(frames[0], true);
    this.onScene(false);
  }

  private async advance(count: number): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const begun = performance.now();
      const { value, frames } = await this.engine.ask<Stepped>("steps", count);
      const waited = (performance.now() - begun) / 1000, gone = value.steps * this.model.time_step;
      if (value.steps) this.pace += 0.2 * (Math.min(99, gone / Math.max(1e-4, Math.max(value.milliseconds / 1000, 0.2 * waited))) - this.pace);
      this.history.push(...frames);
      const { poses, contacts, machine } = this.last, size = 2 * poses.length + contacts.length + machine.length + 20;
      const most = Math.max(300, Math.min(KEPT, Math.floor(KEPT_NUMBERS / size)));
      if (this.history.length > most) this.history.splice(0, this.history.length - most);
      this.tell(value.events);
      if (value.failure) { this.setPlaying(false); this.onSay("The simulation stopped: " + value.failure.replace(/^the simulation stopped: /, "")); }
      if (value.stopped) { this.setPlaying(false); this.onSay("An event of the scene ends the run here."); }
    } finally {
      this.busy = false;
    }
    this.onMoment();
  }

  private tell(events: Happening[]): void {
    if (!events.length) return;
    for (const { time, hit } of events) {
      if (!hit) continue;
      this.hits.push([time, ...hit]);
      this.largestHit = Math.max(this.largestHit, hit[2]);
    }
    if (this.hits.length > 400) this.hits.splice(0, this.hits.length - 400);
    this.events.push(...events);
    if (this.events.length > 2000) this.events.splice(0, this.events.length - 2000);
    this.onEvents(events);
  }

  // Called for every picture; returns the moment to show: between the two steps around the time wanted.
  tick(stamp: number): Moment | undefined {
    if (!this.last) return undefined;
    if (this.playing && this.before) {
      const passed = Math.min(0.1, (stamp - this.before) / 1000) * this.speed, step = this.model.time_step;
      // Where the engine cannot follow, time passes more slowly instead of in leaps.
      this.wanted = Math.min(this.wanted + passed, this.last.t + step);
      const ahead = this.wanted + 2 * passed + step - this.last.t;
      if (ahead > 0 && !this.busy) void this.advance(Math.min(MOST_STEPS, Math.ceil(ahead / step)));
    }
    this.before = stamp;
    return this.shown();
  }

  shown(): Moment {
    const list = this.history, to = this.last;
    if (!this.playing || this.wanted >= to.t) return to;
    let k = list.length - 1;
    while (k > 0 && list[k - 1].t > this.wanted) k -= 1;
    const a = list[k - 1], b = list[k];
    if (!a || a.poses.length !== b.poses.length || !(b.t > a.t)) return b;
    const part = Math.min(1, Math.max(0, (this.wanted - a.t) / (b.t - a.t))), poses = new Float64Array(b.poses.length);
    for (let i = 0; i < poses.length; i++) poses[i] = a.poses[i] + (b.poses[i] - a.poses[i]) * part;
    return { ...b, poses, t: this.wanted };
  }
}
