// What the page and the engine's worker say to each other.
import type { Frame, Picture } from "#draw";

export interface Fault { path: string; message: string; line: number; column: number }
export interface Happening { time: number; kind: string; text: string; hit: [number, number, number] | null }

// What a scene is to the page: what is drawn, and how it runs.
export interface Model extends Picture {
  name: string | null; description: string | null; duration: number; time_step: number; start: number;
  view: [number, number, number, number] | null;
}

// A frame with the figures of the step that led to it.
export interface Moment extends Frame {
  certificate: number; penetration: number; jointError: number; past: number;
  held: { from: [number, number]; to: [number, number] } | null;
}

export interface Request { id: number; op: string; args: unknown[] }
export interface Reply { id: number; value?: unknown; error?: string; faults?: Fault[]; frames?: Float64Array[] }
export interface Stepped { events: Happening[]; stopped: boolean; failure: string | null; milliseconds: number; steps: number }
export interface Loaded { model: Model; text: string }

// Numbers before the packed frame: see FRAME_START of engine2d-web.
const START = 9;

export function unpack(list: Float64Array): Moment {
  const lengths = Array.from(list.subarray(START + 3, START + 8));
  let at = START + 8;
  const parts = lengths.map(length => list.subarray(at, at += length));
  return {
    certificate: list[0], penetration: list[1], jointError: list[2],
    held: list[3] ? { from: [list[4], list[5]], to: [list[6], list[7]] } : null,
    past: list[8], t: list[START], kinetic: list[START + 1], potential: list[START + 2],
    poses: parts[0], rates: parts[1], contacts: parts[2], pulls: parts[3], machine: parts[4],
  };
}
