// Scene texts as people write them: short lists and objects on one line.
const WIDTH = 118;

function inline(value: unknown): string {
  if (Array.isArray(value)) return "[" + value.map(inline).join(", ") + "]";
  if (value && typeof value === "object") {
    const fields = Object.entries(value).map(([name, of]) => JSON.stringify(name) + ": " + inline(of));
    return fields.length ? "{ " + fields.join(", ") + " }" : "{}";
  }
  return JSON.stringify(value);
}

function write(value: unknown, indent: string, room: number): string {
  const short = inline(value);
  if (short.length <= room || !value || typeof value !== "object") return short;
  const deeper = indent + "  ";
  if (Array.isArray(value)) {
    return "[\n" + value.map(of => deeper + write(of, deeper, WIDTH - deeper.length)).join(",\n") + "\n" + indent + "]";
  }
  const fields = Object.entries(value).map(([name, of]) => {
    const key = deeper + JSON.stringify(name) + ": ";
    return key + write(of, deeper, WIDTH - key.length);
  });
  return "{\n" + fields.join(",\n") + "\n" + indent + "}";
}

// The root always stands on lines of its own.
export function pretty(text: string): string {
  const root = JSON.parse(text) as Record<string, unknown>;
  const fields = Object.entries(root).map(([name, of]) => "  " + JSON.stringify(name) + ": " + write(of, "  ", WIDTH - 4 - name.length));
  return "{\n" + fields.join(",\n") + "\n}\n";
}
