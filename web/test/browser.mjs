// A browser and a server for the tests: Chromium without network services, the built folders below a path of their own.
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize, resolve } from "node:path";
import puppeteer from "puppeteer-core";

export const root = resolve(import.meta.dirname, "../..");
export const target = join(root, "target");
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const PREFIX = "/somewhere/below";

export function serve() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(request.url.split("?")[0]));
    const file = join(target, path.slice(PREFIX.length));
    if (!path.startsWith(PREFIX + "/") || !file.startsWith(target) || !existsSync(file) || !statSync(file).isFile()) { response.writeHead(404).end(); return; }
    response.writeHead(200, { "Content-Type": KINDS[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  return new Promise(done => server.listen(0, "127.0.0.1", () => done({ url: `http://127.0.0.1:${server.address().port}${PREFIX}`, close: () => server.close() })));
}

function executable() {
  const known = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = known.find(path => path && existsSync(path));
  if (!found) throw new Error("no Chromium is installed: set CHROMIUM to its path");
  return found;
}

export async function browse() {
  const userDataDir = mkdtempSync(join(tmpdir(), "engine2d-browser-"));
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--force-color-profile=srgb", "--font-render-hinting=none"];
  const browser = await puppeteer.launch({ executablePath: executable(), headless: true, userDataDir, args, protocolTimeout: 240_000 });
  return { browser, close: async () => { await browser.close(); rmSync(userDataDir, { recursive: true, force: true }); } };
}

// A page whose messages are kept, from the console and of errors.
export async function open(browser, url, width = 1280, height = 800, byFingers = false) {
  const page = await browser.newPage(), said = [];
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  await page.setViewport({ width, height, isMobile: byFingers, hasTouch: byFingers });
  page.on("console", message => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", error => said.push(`error: ${error.message}`));
  page.on("requestfailed", request => said.push(`request failed: ${request.url()}`));
  await page.goto(url);
  return { page, said };
}

// Until the first scene is there. Looked at when the document changes, not with each picture: a page that was opened behind another one has none.
export const ready = page => page.waitForFunction(() => document.documentElement.dataset.ready === "yes", { timeout: 60_000, polling: "mutation" });

export async function lab(browser, url, hash = "", width, height, byFingers) {
  const opened = await open(browser, `${url}/lab/index.html${hash}`, width, height, byFingers);
  await ready(opened.page);
  return opened;
}

// How much two pictures differ: the part of pixels with a colour that is visibly another.
export async function difference(page, one, other) {
  return page.evaluate(async (a, b) => {
    const pixels = async data => {
      const image = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [p, q] = [await pixels(a), await pixels(b)];
    if (p.width !== q.width || p.height !== q.height) return 1;
    let differ = 0;
    for (let i = 0; i < p.data.length; i += 4) {
      const away = Math.abs(p.data[i] - q.data[i]) + Math.abs(p.data[i + 1] - q.data[i + 1]) + Math.abs(p.data[i + 2] - q.data[i + 2]);
      if (away > 40) differ += 1;
    }
    return differ / (p.width * p.height);
  }, one, other);
}
