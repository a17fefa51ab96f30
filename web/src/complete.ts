// Completion of the scene's text from its JSON Schema.
import { script } from "./engine";

interface Schema {
  $ref?: string; $defs?: Record<string, Schema>; properties?: Record<string, Schema>; items?: Schema; additionalProperties?: Schema | boolean;
  oneOf?: Schema[]; anyOf?: Schema[]; allOf?: Schema[]; enum?: unknown[]; const?: unknown; description?: string; type?: string | string[]; default?: unknown;
}
interface Choice { word: string; note: string }
// Where the caret is: what leads there, whether a field's name is typed, what is typed already, the fields that stand there.
interface Place { path: (string | number)[]; isKey: boolean; typed: string; from: number; siblings: Record<string, string>[] }

let root: Schema | null = null;
async function schema(): Promise<Schema | null> {
  if (!root) await script("scene.schema.js").then(() => { root = window.engine2dSchema as Schema; }, () => {});
  return root;
}

// Walks the text up to the caret; it need not be whole.
export function placeIn(text: string, caret: number): Place | null {
  const path: (string | number)[] = [], kinds: string[] = [], siblings: Record<string, string>[] = [];
  let key = "", expectsKey = false, i = 0;
  while (i < caret) {
    const letter = text[i];
    if (letter === "\"") {
      let end = i + 1;
      while (end < text.length && text[end] !== "\"" && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
      if (end >= caret || text[end] !== "\"") return { path: expectsKey ? [...path] : [...path, ...(kinds.at(-1) === "{" ? [key] : [])], isKey: expectsKey, typed: text.slice(i + 1, caret), from: i + 1, siblings };
      const word = text.slice(i + 1, end);
      if (expectsKey) key = word; else if (siblings.length && kinds.at(-1) === "{") siblings[siblings.length - 1][key] = word;
      i = end + 1;
      continue;
    }
    if (letter === "{" || letter === "[") {
      if (kinds.at(-1) === "{") path.push(key);
      kinds.push(letter);
      siblings.push({});
      if (letter === "[") path.push(0);
      expectsKey = letter === "{";
    } else if (letter === "}" || letter === "]") {
      if (kinds.pop() === "[") path.pop();
      siblings.pop();
      if (kinds.at(-1) === "{") path.pop();
      expectsKey = false;
    } else if (letter === ",") {
      if (kinds.at(-1) === "[") path[path.length - 1] = (path[path.length - 1] as number) + 1; else expectsKey = true;
    } else if (letter === ":") expectsKey = false;
    i += 1;
  }
  // Between words: a name may begin here.
  return { path: expectsKey ? [...path] : [...path, ...(kinds.at(-1) === "{" ? [key] : [])], isKey: expectsKey, typed: "", from: caret, siblings };
}

function resolve(of: Schema | undefined, all: Schema): Schema | undefined {
  let here = of;
  for (let k = 0; here?.$ref && k < 20; k++) here = { ...all.$defs?.[here.$ref.replace("#/$defs/", "")], ...(here.description ? { description: here.description } : {}) };
  return here;
}

// The alternatives that a schema has: itself, or those of its choices that fit the type that is written.
function variants(of: Schema | undefined, all: Schema, type?: string): Schema[] {
  const here = resolve(of, all);
  if (!here) return [];
  const inner = [...(here.oneOf ?? []), ...(here.anyOf ?? []), ...(here.allOf ?? [])].flatMap(one => variants(one, all, type));
  const list = here.properties || here.items || here.enum || here.const !== undefined || here.additionalProperties ? [here, ...inner] : inner;
  return type ? list.filter(one => { const word = resolve(one.properties?.type, all)?.const; return word === undefined || word === type; }) : list;
}

function choices(place: Place, all: Schema): Choice[] {
  let here: Schema[] = [all];
  place.path.forEach((part, depth) => {
    const type = place.siblings[depth]?.type;
    here = here.flatMap(one => variants(one, all, typeof part === "string" ? type : undefined)).flatMap(one => {
      if (typeof part === "number") return one.items ? [one.items] : [];
      const field = one.properties?.[part];
      return field ? [field] : typeof one.additionalProperties === "object" ? [one.additionalProperties] : [];
    });
  });
  const found = new Map<string, string>(), own = place.siblings[place.siblings.length - 1] ?? {};
  for (const one of here.flatMap(of => variants(of, all, place.isKey ? own.type : undefined))) {
    if (place.isKey) for (const [name, field] of Object.entries(one.properties ?? {})) { if (!(name in own)) found.set(name, resolve(field, all)?.description ?? ""); }
    else {
      for (const word of one.enum ?? []) if (typeof word === "string") found.set(word, one.description ?? "");
      if (typeof one.const === "string") found.set(one.const, one.description ?? "");
      const kind = resolve(one.properties?.type, all)?.const;
      if (kind !== undefined && place.path.at(-1) === "type") found.set(String(kind), one.description ?? "");
    }
  }
  const start = place.typed.toLowerCase();
  const fits = [...found].filter(([word]) => word.toLowerCase().includes(start));
  return fits.sort((a, b) => Number(b[0].startsWith(start)) - Number(a[0].startsWith(start))).slice(0, 40).map(([word, note]) => ({ word, note }));
}

export class Completion {
  private list: Choice[] = [];
  private at = 0;
  private place: Place | null = null;

  constructor(private area: HTMLTextAreaElement, private box: HTMLElement) {
    area.addEventListener("input", event => {
      const typed = (event as InputEvent).data ?? "";
      if (typed === "\"" || (!box.hidden && /^[\w]?$/.test(typed))) void this.open(); else this.close();
    });
    area.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    area.addEventListener("scroll", () => this.close());
  }

  // Takes the keys that are the list's; says whether it did.
  key(event: KeyboardEvent): boolean {
    if (event.key === " " && event.ctrlKey) { event.preventDefault(); void this.open(); return true; }
    if (this.box.hidden) return false;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) { this.at = (this.at + move + this.list.length) % this.list.length; this.render(); }
    else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab") this.take(this.at);
    else if (event.key === "Escape") this.close();
    else return false;
    event.preventDefault();
    return true;
  }

  private async open(): Promise<void> {
    const all = await schema(), { area } = this;
    this.place = all ? placeIn(area.value, area.selectionStart) : null;
    this.list = this.place && all ? choices(this.place, all) : [];
    this.at = 0;
    if (!this.list.length) { this.close(); return; }
    const before = area.value.slice(0, area.selectionStart).split("\n"), column = before[before.length - 1].length;
    this.box.hidden = false;
    const room = area.clientHeight, top = before.length * 18 - area.scrollTop;
    this.box.style.top = `${top + Math.min(224, 34 * this.list.length) > room && top > room / 2 ? Math.max(0, top - 22 - Math.min(224, 34 * this.list.length)) : top}px`;
    this.box.style.left = `${Math.max(4, Math.min(40 + column * 7.2 - area.scrollLeft, area.clientWidth - 200))}px`;
    this.render();
  }

  private render(): void {
    this.box.textContent = "";
    this.list.forEach(({ word, note }, k) => {
      const item = document.createElement("li"), small = document.createElement("small");
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(k === this.at));
      item.textContent = word;
      small.textContent = note.split("\n")[0];
      if (note) item.append(small);
      item.addEventListener("pointerdown", event => { event.preventDefault(); this.take(k); });
      this.box.append(item);
      if (k === this.at) item.scrollIntoView({ block: "nearest" });
    });
  }

  private take(k: number): void {
    const { area, place } = this, choice = this.list[k];
    this.close();
    if (!choice || !place) return;
    const quoted = area.value[place.from - 1] === "\"" && place.from > 0, end = area.selectionStart;
    const closed = area.value[end] === "\"", tail = place.isKey && !/^"?\s*:/.test(area.value.slice(end)) ? ": " : "";
    const word = (quoted ? "" : "\"") + choice.word + (closed ? "" : "\"");
    area.setRangeText(word + (closed ? "" : tail), place.from, end, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  private close(): void { this.box.hidden = true; }
}
