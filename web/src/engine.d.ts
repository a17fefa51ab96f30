// What wasm-bindgen makes of the crate engine2d-web.
export class Lab {
  constructor(text: string);
  free(): void;
  model(): string;
  frame(): Float64Array;
  time(): number;
  step(): boolean;
  run_until(until: number): boolean;
  back(): boolean;
  reset(): boolean;
  take(body: number, x: number, y: number): boolean;
  drag_to(x: number, y: number): void;
  release(): void;
  take_events(): string;
  parameters(): string;
  set_parameter(name: string, value: string): void;
  digest(): string;
  text(): string;
  text_now(): string;
  insert(list: string, entry: string): void;
  remove(list: string, place: number): void;
  place(body: number, x: number, y: number, angle: number): void;
  set_friction(value: number): void;
  set_restitution(value: number): void;
  set_gravity(value: number): void;
  set_clock(clock: string): void;
  set_time_step(step: number): void;
  table(until: number): string;
  event_lines(until: number): string;
  replay_data(until: number): string;
}
export function initSync(options: { module: BufferSource }): { memory: WebAssembly.Memory };
