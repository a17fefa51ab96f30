// The engine in a thread of its own: the page stays at hand while a hard scene computes.
import { Lab, initSync } from "#engine";
import type { Fault, Happening, Loaded, Reply, Request, Stepped } from "./protocol";

const BUDGET = 24; // milliseconds after which an answer is due
let lab: Lab | null = null;

function need(): Lab {
  if (!lab) throw new Error("no scene is loaded");
  return lab;
}

function loaded(): Loaded {
  const here = need();
  return { model: JSON.parse(here.model()), text: here.text() };
}

function adopt(text: string): Loaded {
  const next = new Lab(text);
  lab?.free();
  lab = next;
  return loaded();
}

// Some steps, as many as the time for an answer allows; the frames of all of them are the transfer.
function steps(count: number, frames: Float64Array[]): Stepped {
  const here = need(), begun = performance.now();
  let stopped = false, failure: string | null = null, done = 0;
  while (done < count && !stopped) {
    try { stopped = here.step(); } catch (error) { failure = String(error); break; }
    frames.push(here.frame());
    done += 1;
    if (performance.now() - begun > BUDGET) break;
  }
  const events = JSON.parse(here.take_events()) as Happening[];
  return { events, stopped, failure, milliseconds: performance.now() - begun, steps: done };
}

// Functions that change the scene.
const EDITS = new Set(["insert", "remove", "place", "set_friction", "set_restitution", "set_gravity", "set_clock", "set_time_step"]);

function perform(op: string, args: unknown[], frames: Float64Array[]): unknown {
  switch (op) {
    case "init": initSync({ module: args[0] as BufferSource }); return null;
    case "load": { const value = adopt(args[0] as string); frames.push(need().frame()); return value; }
    case "check": { new Lab(args[0] as string).free(); return null; }
    case "steps": return steps(args[0] as number, frames);
    case "run_until": {
      const begun = performance.now();
      need().run_until(args[0] as number);
      const milliseconds = performance.now() - begun;
      frames.push(need().frame());
      return { digest: need().digest(), milliseconds, time: need().time() };
    }
    case "back": case "reset": {
      const value = op === "back" ? need().back() : need().reset();
      frames.push(need().frame());
      return value;
    }
  }
  const here = need() as unknown as Record<string, (...args: unknown[]) => unknown>;
  const value = here[op](...args);
  if (!EDITS.has(op)) return value;
  frames.push(need().frame());
  return loaded();
}

self.onmessage = (event: MessageEvent<Request>) => {
  const { id, op, args } = event.data, reply: Reply = { id }, frames: Float64Array[] = [];
  try {
    reply.value = perform(op, args, frames);
  } catch (error) {
    reply.error = String(error);
    try { reply.faults = JSON.parse(reply.error) as Fault[]; } catch { /* a plain message */ }
  }
  reply.frames = frames;
  (self as unknown as Worker).postMessage(reply, frames.map(frame => frame.buffer as ArrayBuffer));
};
