// The page: its parts put together.
import { CONTACT, largestOf, Renderer, type Scales } from "#draw";
import { Editor } from "./editor";
import { EngineError } from "./engine";
import { pretty } from "./format";
import { islands, type Point, viewOf } from "./geometry";
import { Lab } from "./lab";
import { Panels } from "./panels";
import { Plots } from "./plots";
import { Pointer } from "./pointer";
import type { Fault, Moment } from "./protocol";
import { save, unpack, pack } from "./share";
import { Hand, TOOLS } from "./tools";

const $ = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const FIRST = "pile";
const EMPTY = `{
  "format": "engine2d-scene",
  "version": 1,
  "name": "my scene",
  "duration": 20,
  "view": { "left": -8, "bottom": -1.5, "right": 8, "top": 8 },
  "bodies": [
    { "name": "floor", "shape": { "type": "block", "width": 24, "height": 1 }, "fixed": true, "position": [0, -0.5], "friction": 0.5 }
  ],
  "force_laws": [{ "type": "gravity", "strength": 9.81 }]
}
`;

const lab = new Lab(), canvas = $<HTMLCanvasElement>("world"), tip = $("tip"), toast = $("toast");
const renderer = new Renderer(canvas, { bodies: [], ties: [], joints: [], curves: [] });
const hand = new Hand(lab, renderer), editor = new Editor(lab), plots = new Plots(lab, () => { plotted = 0; dirty = true; });
let selected = -1, dirty = true, plotted = 0, fitted = true, toastTimer = 0;
const panels = new Panels(lab, { tab: () => { plotted = 0; dirty = true; }, show: () => { dirty = true; } });

function say(text: string): void {
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => { toast.hidden = true; }, 6000);
}

function fit(): void {
  if (!lab.last) return;
  const [l, b, r, t] = viewOf(lab.model, renderer, lab.last), m = 0.03 * Math.max(r - l, t - b);
  renderer.fit([l - m, b - m, r + m, t + m]);
  fitted = true;
  dirty = true;
}

// Arrows are as long as forces are large, measured by what was largest lately: it fades, so that a blow does not hide what rests.
function rescale(moment: Moment): void {
  const most = largestOf(moment), scales = renderer.scales as unknown as Record<string, number>;
  for (const [name, value] of Object.entries(most)) scales[name] = Math.max(value, scales[name] * 0.94, 1e-9);
  if (most.force > 0 && most.pull > 0) renderer.scales.pull = Math.max(renderer.scales.pull, 0.5 * renderer.scales.force);
}

lab.onSay = say;
lab.onScene = fresh => {
  renderer.setModel(lab.model);
  renderer.scales = { force: 1e-9, pull: 1e-9, torque: 1e-9, speed: 1e-9 } as Scales;
  if (fresh || selected >= lab.model.bodies.length) selected = -1;
  if (fresh) { hand.clear(); fit(); }
  plots.offer(fresh);
  panels.scene();
  editor.show();
  rescale(lab.last);
  plotted = 0;
  dirty = true;
};
lab.onMoment = () => { rescale(lab.last); dirty = true; };
lab.onEvents = () => panels.events();
lab.onState = () => {
  $("play").textContent = lab.playing ? "Pause" : "Play";
  $<HTMLButtonElement>("undo").disabled = !lab.canUndo;
  $<HTMLButtonElement>("redo").disabled = !lab.canRedo;
  $<HTMLButtonElement>("back").disabled = false;
};

// A colour for each group of bodies that hang together.
const HUES = ["#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#9c755f"];

function draw(moment: Moment): void {
  const { show } = panels, roots = show.islands ? islands(lab.model, moment, CONTACT) : null;
  const shown = pointer.dragged?.moved && !moment.held ? moved(moment) : moment;
  renderer.draw(shown, {
    forces: show.forces, contacts: show.contacts, reactions: show.reactions, chains: show.chains, speeds: show.speeds, centres: show.centres,
    names: show.names, selected, now: moment.t, hits: show.hits && lab.hits, largestHit: lab.largestHit,
    tint: roots ? body => lab.model.bodies[body].fixed ? undefined : HUES[roots[body] % HUES.length] : undefined,
  });
  if (show.gaps) gaps(moment);
  if (moment.held) {
    const { c, colors } = renderer, a = renderer.toScreen(...moment.held.from), b = renderer.toScreen(...moment.held.to);
    c.strokeStyle = c.fillStyle = colors.accent; c.lineWidth = 2; c.setLineDash([5, 4]);
    c.beginPath(); c.moveTo(...a); c.lineTo(...b); c.stroke(); c.setLineDash([]);
    for (const [x, y] of [a, b]) { c.beginPath(); c.arc(x, y, 4, 0, 2 * Math.PI); c.fill(); }
  }
  hand.draw();
}

// Gaps as heat: teal where bodies just touch, orange to red as they overlap.
function gaps(moment: Moment): void {
  const { c } = renderer;
  for (let f = moment.contacts, k = 0; k < f.length; k += CONTACT) {
    const [x, y] = renderer.toScreen(f[k], f[k + 1]), depth = Math.max(0, Math.log10(Math.max(1e-12, -f[k + 7])) + 12) / 10;
    c.fillStyle = `hsl(${180 - 180 * Math.min(1, depth)} 75% 45% / .75)`;
    c.beginPath(); c.arc(x, y, 8, 0, 2 * Math.PI); c.fill();
  }
}

// The moment with the body that is moved by hand in pause where the hand has it.
function moved(moment: Moment): Moment {
  const { dragged } = pointer, slot = dragged ? renderer.slot.get(dragged.body) : undefined;
  if (!dragged || slot === undefined) return moment;
  const poses = Float64Array.from(moment.poses);
  poses.set(dragged.pose, 3 * slot);
  return { ...moment, poses, contacts: new Float64Array(0) };
}

function figures(): void {
  const { last } = lab, light = $("light"), n = last.contacts.length / CONTACT;
  const state = n === 0 && last.certificate === 0 ? "" : last.certificate <= 1e-9 ? "good" : last.certificate <= 1e-6 ? "warn" : "bad";
  light.dataset.state = state;
  const words = `Certificate ${last.certificate.toExponential(1)}`;
  if (light.title !== words) { light.title = words; light.setAttribute("aria-label", words); }
  const movable = renderer.movable.length;
  $("figures").textContent = `${movable} ${movable === 1 ? "body" : "bodies"} · ${n} ${n === 1 ? "contact" : "contacts"} · certificate ${last.certificate ? last.certificate.toExponential(1) : "0"} · overlap ${last.penetration > 0 ? last.penetration.toExponential(1) : "0"}`;
  $("clock").textContent = lab.shown().t.toFixed(3) + " s";
  const slow = lab.playing && lab.paceNow < 0.9 * lab.speed;
  $("pace").textContent = slow ? `runs at ×${lab.paceNow < 0.095 ? lab.paceNow.toFixed(3) : lab.paceNow.toFixed(2)}` : "";
}

let slowest = 0, stale = true;
function tick(stamp: number): void {
  const moment = lab.tick(stamp);
  if (moment && (dirty || lab.playing)) {
    const begun = performance.now();
    dirty = false;
    draw(moment);
    figures();
    panels.body(selected, moment, renderer);
    slowest = Math.max(slowest, performance.now() - begun);
    stale = true;
  }
  // Plots follow a little less often, but to the last moment.
  if (moment && stale && panels.isOpen("plots") && stamp - plotted > 66) { plotted = stamp; stale = false; plots.draw(renderer.slot); }
  requestAnimationFrame(tick);
}

function hint(text: string, [x, y]: Point): void {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  tip.style.left = `${Math.max(4, Math.min(x + 14, renderer.w - tip.offsetWidth - 4))}px`;
  tip.style.top = `${Math.max(4, y - 30)}px`;
}

// What is at a place of the picture: a force with its value, a body with its place.
function about(at: Point): string {
  const moment = lab.shown(), k = panels.show.forces || panels.show.contacts ? renderer.contactAt(moment, ...at) : -1, f = moment.contacts;
  const name = (body: number) => body < 0 ? "ground" : lab.model.bodies[body].name;
  if (k >= 0) {
    const state = ["", ", sticks", ", slides"][f[k + 4]] ?? "";
    return `${Math.hypot(f[k + 2], f[k + 3]).toPrecision(5)} N on ${name(f[k + 5])} from ${name(f[k + 6])}${state}, gap ${f[k + 7].toExponential(1)} m`;
  }
  const body = renderer.bodyAt(moment, ...at);
  if (body < 0) return "";
  const p = renderer.pose(moment, body);
  return `${name(body)}  (${p[0].toFixed(3)}, ${p[1].toFixed(3)}), ${p[2].toFixed(3)} rad`;
}

const pointer = new Pointer({
  lab, renderer, hand, canvas, fit, about, tell: hint, look: at => { if (lab.last) hint(about(at), at); }, plot: () => panels.open("plots"),
  choose: body => { selected = body; if (body >= 0) plots.select(body); plotted = 0; dirty = true; },
  moved: () => { fitted = false; dirty = true; }, changed: () => { dirty = true; },
}, $("context"));

// Tools.
function choose(index: number): void {
  hand.choose(TOOLS[index]);
  document.querySelectorAll<HTMLButtonElement>("#tools button").forEach((button, k) => button.setAttribute("aria-pressed", String(k === index)));
  const options = $("options");
  options.textContent = "";
  const words = document.createElement("p");
  words.textContent = hand.tool.hint;
  for (const option of hand.tool.options) {
    const label = document.createElement("label"), input = document.createElement("input");
    if (typeof option.value === "boolean") { input.type = "checkbox"; input.checked = hand.values[option.name] === true; label.append(input, option.label); }
    else { input.type = "number"; input.step = String(option.step ?? "any"); input.value = String(hand.values[option.name]); label.append(option.label, input); }
    input.dataset.option = option.name;
    input.addEventListener("input", () => { hand.values[option.name] = input.type === "checkbox" ? input.checked : Number(input.value); });
    options.append(label);
  }
  options.append(words);
  dirty = true;
}
TOOLS.forEach((tool, k) => {
  const button = document.createElement("button");
  button.type = "button";
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${tool.icon}</svg>${tool.name}`;
  button.title = `${tool.name} (${tool.key}): ${tool.hint}`;
  button.addEventListener("click", () => choose(k));
  $("tools").append(button);
});
choose(0);

// Scenes.
async function open(text: string, fresh = true): Promise<void> {
  try {
    await lab.load(text, fresh);
    toast.hidden = true;
  } catch (error) {
    const faults: Fault[] = error instanceof EngineError ? error.faults : [];
    if (!faults.length) { say((error as Error).message); return; }
    panels.open("text");
    editor.refuse(text, faults);
    say(faults.length === 1 ? "The scene has a mistake: see its line." : `The scene has ${faults.length} mistakes: see their lines.`);
  }
}
async function builtIn(name: string): Promise<void> {
  const text = lab.engine.builtIn(name);
  if (text === null) { say(`There is no built-in scene ${name}.`); return; }
  $<HTMLSelectElement>("scene").value = name;
  await open(pretty(text));
}
async function fromHash(): Promise<void> {
  const asked = new URLSearchParams(location.hash.slice(1)), carried = asked.get("s");
  if (carried) {
    try { await open(await unpack(carried)); } catch { say("The link is damaged: its scene cannot be read."); await builtIn(FIRST); }
    $<HTMLSelectElement>("scene").value = "";
  } else await builtIn(asked.get("scene") ?? FIRST);
  if (asked.has("play")) lab.setPlaying(true);
}
async function take(file: File | undefined): Promise<void> {
  if (!file) return;
  $<HTMLSelectElement>("scene").value = "";
  await open(await file.text());
}

$("scene").addEventListener("change", () => { lab.setPlaying(false); void builtIn($<HTMLSelectElement>("scene").value); });
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", () => { const input = $<HTMLInputElement>("file"); void take(input.files?.[0]); input.value = ""; });
$("new").addEventListener("click", () => { lab.setPlaying(false); $<HTMLSelectElement>("scene").value = ""; void open(EMPTY); });
addEventListener("dragover", event => { event.preventDefault(); $("drop").hidden = false; });
addEventListener("dragleave", event => { if (!event.relatedTarget) $("drop").hidden = true; });
addEventListener("drop", event => { event.preventDefault(); $("drop").hidden = true; void take(event.dataTransfer?.files[0]); });

// Time.
$("play").addEventListener("click", () => lab.setPlaying(!lab.playing));
$("step").addEventListener("click", () => void lab.step());
$("back").addEventListener("click", () => void lab.back());
$("reset").addEventListener("click", () => { lab.setPlaying(false); void lab.reset(); });
$("speed").addEventListener("change", () => { lab.speed = Number($<HTMLSelectElement>("speed").value); });
$("undo").addEventListener("click", () => void lab.undo());
$("redo").addEventListener("click", () => void lab.redo());
$("fit").addEventListener("click", fit);
$("in").addEventListener("click", () => { renderer.zoom(1.25); fitted = false; dirty = true; });
$("out").addEventListener("click", () => { renderer.zoom(0.8); fitted = false; dirty = true; });

addEventListener("keydown", event => {
  const target = event.target as HTMLElement;
  if (target.matches("textarea, select, input:not([type=checkbox]):not([type=range])")) return;
  const key = event.key, command = event.ctrlKey || event.metaKey;
  if (command && key.toLowerCase() === "z") { event.preventDefault(); void (event.shiftKey ? lab.redo() : lab.undo()); return; }
  if (command && key.toLowerCase() === "y") { event.preventDefault(); void lab.redo(); return; }
  if (command || event.altKey) return;
  if (key === " " && target.tagName === "BUTTON" || target.matches("[role=tab], input[type=range]") && key.startsWith("Arrow")) return;
  const tool = TOOLS.findIndex(one => one.key === key);
  const action: (() => void) | undefined = tool >= 0 ? () => choose(tool) : ({
    " ": () => lab.setPlaying(!lab.playing), ArrowRight: () => void lab.step(), ArrowLeft: () => void lab.back(), f: fit,
    r: () => { lab.setPlaying(false); void lab.reset(); }, "+": () => $("in").click(), "-": () => $("out").click(),
    Escape: () => { hand.clear(); pointer.close(); selected = -1; $("exports").hidden = true; dirty = true; },
    Delete: () => { if (selected >= 0) void lab.edit("remove", "bodies", selected); selected = -1; },
    Backspace: () => { if (hand.corners.length) { hand.corners.pop(); dirty = true; } },
  } as Record<string, () => void>)[key.length === 1 ? key.toLowerCase() : key];
  if (!action) return;
  event.preventDefault();
  action();
});

// Links and files.
$("link").addEventListener("click", async () => {
  const url = `${location.href.split("#")[0]}#s=${await pack(lab.text)}`;
  history.replaceState(null, "", url);
  await navigator.clipboard?.writeText(url).then(() => say("The link is copied: it carries the whole scene."), () => say("The link stands in the address bar: it carries the whole scene."));
});
const menu = (isOpen: boolean) => { $("exports").hidden = !isOpen; $("export").setAttribute("aria-expanded", String(isOpen)); };
$("export").addEventListener("click", event => { event.stopPropagation(); menu($("exports").hidden === true); });
addEventListener("click", () => menu(false));
canvas.addEventListener("pointerdown", () => menu(false)); // a finger on the picture makes no click
$("exports").addEventListener("click", event => {
  const what = (event.target as HTMLElement).dataset.export, name = (lab.model.name ?? "scene").replace(/[^\w-]+/g, "_"), until = lab.last.t;
  const ask = async (op: string, ...args: unknown[]) => (await lab.engine.ask<string>(op, ...args)).value;
  const exports: Record<string, () => Promise<void>> = {
    scene: async () => save(`${name}.json`, lab.text, "application/json"),
    now: async () => save(`${name}.json`, pretty(await ask("text_now")), "application/json"),
    csv: async () => save(`${name}.csv`, await ask("table", until), "text/csv"),
    events: async () => save(`${name}.events.jsonl`, await ask("event_lines", until), "application/jsonl"),
    replay: async () => save(`${name}.html`, await lab.engine.replay(lab.model.name ?? "scene", Math.max(until, lab.model.start + lab.model.time_step)), "text/html"),
    png: async () => canvas.toBlob(blob => { if (blob) save(`${name}.png`, blob, "image/png"); }),
  };
  if (what && exports[what]) void exports[what]().catch(error => say((error as Error).message));
});

// Light and dark.
function theme(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  renderer.restyle();
  dirty = true;
  plotted = 0;
}
const scheme = matchMedia("(prefers-color-scheme: dark)");
theme(scheme.matches);
scheme.addEventListener("change", () => theme(scheme.matches));
$("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));

new ResizeObserver(() => { if (fitted) fit(); dirty = true; plotted = 0; }).observe($("stage"));
addEventListener("hashchange", () => void fromHash());

// For tests and for those who look behind: the lab as it is.
Object.assign(window, { engine2dLab: { lab, renderer, hand, frameTime: () => { const most = slowest; slowest = 0; return most; } } });

lab.engine.start().then(async catalogue => {
  const select = $<HTMLSelectElement>("scene");
  select.add(new Option("(a scene of yours)", ""));
  for (const { name, summary } of catalogue) { const option = new Option(name.replaceAll("_", " "), name); option.title = summary; select.add(option); }
  await fromHash();
  document.documentElement.dataset.ready = "yes";
}).catch(error => say(`The engine cannot start: ${(error as Error).message}`));
requestAnimationFrame(tick);
