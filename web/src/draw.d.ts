// The drawing that the lab shares with the replay page.
export interface BodyPicture {
  name: string; fixed: boolean; sensor?: boolean; color: string; round: boolean; mass: number; moment: number;
  pose: [number, number, number]; center: [number, number]; paths: number[][];
}
export interface Picture {
  bodies: BodyPicture[];
  ties: { kind: string; ends: [number, number, number][]; length: number }[];
  joints: { name: string; sort: string; bodies: number[] }[];
  curves: number[][];
}
export interface Frame {
  t: number; kinetic: number; potential: number;
  poses: ArrayLike<number>; rates: ArrayLike<number>; contacts: ArrayLike<number>; pulls: ArrayLike<number>; machine: Float64Array;
}
export interface Scales { force: number; pull: number; torque: number; speed: number }
export interface DrawOptions {
  forces?: boolean; contacts?: boolean; reactions?: boolean; chains?: boolean; speeds?: boolean; centres?: boolean; names?: boolean;
  selected?: number; tint?: (body: number) => string | undefined; hits?: [number, number, number, number][] | false; now?: number; largestHit?: number;
}
export const CONTACT: number;
export function colorsOf(element: Element): Record<string, string>;
export function largestOf(frame: Frame): Scales;
export class Renderer {
  constructor(canvas: HTMLCanvasElement, model: Picture);
  canvas: HTMLCanvasElement; c: CanvasRenderingContext2D; model: Picture; w: number; h: number; ratio: number;
  camera: { x: number; y: number; scale: number }; scales: Scales; colors: Record<string, string>;
  movable: number[]; slot: Map<number, number>;
  setModel(model: Picture): void;
  restyle(): void;
  resize(): void;
  fit(view: [number, number, number, number]): void;
  toScreen(x: number, y: number): [number, number];
  toWorld(x: number, y: number): [number, number];
  zoom(factor: number, px?: number, py?: number): void;
  pan(dx: number, dy: number): void;
  pose(frame: Frame, body: number): [number, number, number];
  hits(frame: Frame, body: number, px: number, py: number): boolean;
  bodyAt(frame: Frame, px: number, py: number): number;
  contactAt(frame: Frame, px: number, py: number, within?: number): number;
  draw(frame: Frame, options: DrawOptions): void;
}
