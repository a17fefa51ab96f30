// The scene as text: line numbers, mistakes beside their lines, completion from the schema.
import { Completion } from "./complete";
import { EngineError } from "./engine";
import type { Lab } from "./lab";
import type { Fault } from "./protocol";

const LINE = 18; // pixels, as in the style sheet
const PAUSE = 400; // milliseconds without typing after which the text is read

export class Editor {
  private $ = (id: string) => document.getElementById(id) as HTMLElement;
  private area = this.$("text") as HTMLTextAreaElement;
  private timer = 0;
  private faults: Fault[] = [];
  private completion = new Completion(this.area, this.$("complete"));

  constructor(private lab: Lab) {
    this.area.addEventListener("input", () => { this.number(); this.mark([]); clearTimeout(this.timer); this.timer = window.setTimeout(() => void this.check(), PAUSE); });
    this.area.addEventListener("scroll", () => this.scroll());
    this.area.addEventListener("keydown", event => {
      if (this.completion.key(event)) return;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); void this.apply(); }
    });
    this.$("apply").addEventListener("click", () => void this.apply());
  }

  get isDirty(): boolean { return this.area.value !== this.lab.text; }

  // Shows the text of the scene there is now.
  show(): void {
    this.area.value = this.lab.text;
    this.number();
    this.mark([]);
    this.say("", "");
  }

  // Shows a text that could not be read, with its mistakes.
  refuse(text: string, faults: Fault[]): void {
    this.area.value = text;
    this.number();
    this.mark(faults);
    this.count(faults);
  }

  private say(text: string, state: string): void { this.$("verdict").textContent = text; this.$("verdict").dataset.state = state; }
  private count(faults: Fault[]): void { this.say(faults.length === 1 ? "1 mistake" : `${faults.length} mistakes`, "bad"); }

  private number(): void {
    const count = this.area.value.split("\n").length, gutter = this.$("gutter");
    gutter.textContent = Array.from({ length: count }, (_, k) => k + 1).join("\n");
  }

  private scroll(): void {
    const shift = `translateY(${-this.area.scrollTop}px)`;
    this.$("gutter").style.transform = shift;
    this.$("lines").style.transform = shift;
  }

  private mark(faults: Fault[]): void {
    this.faults = faults;
    const lines = this.$("lines"), list = this.$("faults");
    lines.textContent = list.textContent = "";
    for (const fault of faults) {
      const row = document.createElement("div"), text = document.createElement("span");
      row.style.top = `${(fault.line - 1) * LINE}px`;
      row.dataset.line = String(fault.line);
      text.textContent = "⚠ " + fault.message;
      row.append(text);
      lines.append(row);
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.textContent = `Line ${fault.line}: ${fault.path ? fault.path + ": " : ""}${fault.message}`;
      button.addEventListener("click", () => this.goTo(fault));
      item.append(button);
      list.append(item);
    }
    const bad = new Set(faults.map(fault => fault.line)), gutter = this.$("gutter");
    if (!bad.size) return;
    const count = this.area.value.split("\n").length;
    gutter.textContent = "";
    for (let line = 1; line <= count; line++) {
      if (bad.has(line)) { const mark = document.createElement("span"); mark.className = "bad"; mark.textContent = String(line); gutter.append(mark); }
      else gutter.append(String(line) + (bad.has(line + 1) || line === count ? (bad.has(line + 1) ? "\n" : "") : "\n"));
    }
    this.scroll();
  }

  private goTo(fault: Fault): void {
    const rows = this.area.value.split("\n"), start = rows.slice(0, fault.line - 1).reduce((sum, row) => sum + row.length + 1, 0) + fault.column - 1;
    this.area.focus();
    this.area.setSelectionRange(start, start);
    this.area.scrollTop = Math.max(0, (fault.line - 5) * LINE);
  }

  private async check(): Promise<void> {
    const text = this.area.value;
    try {
      await this.lab.engine.ask("check", text);
      if (text === this.area.value) this.say(this.isDirty ? "Sound. Ctrl+Enter runs it." : "", "good");
    } catch (error) {
      if (text !== this.area.value || !(error instanceof EngineError)) return;
      this.mark(error.faults);
      this.count(error.faults);
    }
  }

  async apply(): Promise<void> {
    const text = this.area.value;
    try {
      await this.lab.load(text, true);
      this.say("Running", "good");
    } catch (error) {
      const faults = error instanceof EngineError ? error.faults : [];
      this.mark(faults);
      this.count(faults);
      if (faults[0] && !this.faults.some(fault => fault.line === this.caretLine())) this.goTo(faults[0]);
    }
  }

  private caretLine(): number { return this.area.value.slice(0, this.area.selectionStart).split("\n").length; }
}
