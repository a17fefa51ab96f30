// The engine as the page sees it: questions that are answered later.
import EngineWorker from "./worker?worker&inline";
import { type Fault, type Moment, type Reply, unpack } from "./protocol";
import { through } from "./share";

export class EngineError extends Error {
  constructor(message: string, readonly faults: Fault[]) { super(message); }
}

export interface Answer<T> { value: T; frames: Moment[] }

export interface BuiltIn { name: string; summary: string; text: string }

declare global {
  interface Window { engine2dWasm?: string; engine2dSchema?: unknown; engine2dScenes?: BuiltIn[]; engine2dReplay?: string }
}

// Loads a script beside the page: what a page opened from a folder may do where it may not fetch.
export function script(name: string): Promise<void> {
  return new Promise((done, failed) => {
    const element = document.createElement("script");
    element.src = name;
    element.onload = () => done();
    element.onerror = () => failed(new Error(`${name} is missing beside the page`));
    document.head.append(element);
  });
}

async function bytes(): Promise<ArrayBuffer> {
  if (location.protocol !== "file:") {
    const response = await fetch("engine2d.wasm");
    if (!response.ok) throw new Error(`engine2d.wasm cannot be loaded (${response.status})`);
    return response.arrayBuffer();
  }
  await script("engine2d.wasm.js");
  const packed = Uint8Array.from(atob(window.engine2dWasm ?? ""), letter => letter.charCodeAt(0));
  return (await through(packed, new DecompressionStream("gzip"))).buffer as ArrayBuffer;
}

export class Engine {
  private worker = new EngineWorker();
  private waiting = new Map<number, { done: (answer: Answer<never>) => void; failed: (error: Error) => void }>();
  private next = 0;

  constructor() {
    this.worker.onmessage = (event: MessageEvent<Reply>) => {
      const { id, value, error, faults, frames } = event.data, call = this.waiting.get(id);
      this.waiting.delete(id);
      if (error !== undefined) call?.failed(new EngineError(faults?.[0] ? faults.map(said).join("\n") : error, faults ?? []));
      else call?.done({ value: value as never, frames: (frames ?? []).map(unpack) });
    };
  }

  // The built-in scenes come as a file of their own, while the engine does.
  async start(): Promise<BuiltIn[]> {
    const [wasm] = await Promise.all([bytes(), script("scenes.js")]);
    await this.send<null>("init", [wasm], [wasm]);
    return window.engine2dScenes ?? [];
  }

  builtIn(name: string): string | null { return window.engine2dScenes?.find(scene => scene.name === name)?.text ?? null; }

  ask<T>(op: string, ...args: unknown[]): Promise<Answer<T>> { return this.send<T>(op, args, []); }

  // The run as a replay page: what it plays, put into the page that is beside this one.
  async replay(title: string, until: number): Promise<string> {
    const [{ value }] = await Promise.all([this.ask<string>("replay_data", until), window.engine2dReplay ?? script("replay.js")]);
    const letters: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" };
    const parts: Record<string, string> = { title: title.replace(/[&<>"]/g, letter => letters[letter]), data: value };
    return (window.engine2dReplay ?? "").replace(/\{\{(title|data)\}\}/g, (_, part: string) => parts[part]);
  }

  private send<T>(op: string, args: unknown[], transfer: Transferable[]): Promise<Answer<T>> {
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done: done as (answer: Answer<never>) => void, failed });
      this.worker.postMessage({ id, op, args }, transfer);
    });
  }
}

export function said(fault: Fault): string { return (fault.path ? fault.path + ": " : "") + fault.message; }
