// How the page is built: one classic script, so that it opens from a folder without a server as well.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const engine = process.env.ENGINE2D_ENGINE ?? resolve(import.meta.dirname, "../target/web-engine");
const out = process.env.ENGINE2D_LAB ?? resolve(import.meta.dirname, "../target/lab");

const replay = resolve(import.meta.dirname, "../crates/engine2d-record/src/replay");

// The replay page, without the run that it plays.
function replayPage(): string {
  const [page, draw, play] = ["page.html", "draw.js", "play.js"].map(name => readFileSync(resolve(replay, name), "utf8"));
  return page.replace("{{draw}}", () => draw.replace(/^export .*\n/gm, "")).replace("{{play}}", () => play);
}

// Puts the engine beside the page: as it is for servers, which pack what they send, and packed within a script for pages opened from a
// folder, which may not fetch.
function engineFiles(): Plugin {
  return {
    name: "engine2d-files",
    generateBundle() {
      const bytes = readFileSync(resolve(engine, "engine2d_web_bg.wasm"));
      this.emitFile({ type: "asset", fileName: "engine2d.wasm", source: bytes });
      const text = `self.engine2dWasm="${gzipSync(bytes, { level: 9 }).toString("base64")}";`;
      this.emitFile({ type: "asset", fileName: "engine2d.wasm.js", source: text });
      const scenes = readFileSync(resolve(engine, "scenes.json"), "utf8");
      this.emitFile({ type: "asset", fileName: "scenes.js", source: `self.engine2dScenes=${scenes};` });
      this.emitFile({ type: "asset", fileName: "replay.js", source: `self.engine2dReplay=${JSON.stringify(replayPage())};` });
      const schema = JSON.stringify(JSON.parse(readFileSync(resolve(import.meta.dirname, "../docs/scene.schema.json"), "utf8")));
      this.emitFile({ type: "asset", fileName: "scene.schema.js", source: `self.engine2dSchema=${schema};` });
    },
    // Modules cannot be loaded from a folder; classic scripts can.
    transformIndexHtml: {
      order: "post",
      handler: html => html.replace(/<script type="module" crossorigin/g, "<script defer").replace(/<link rel="stylesheet" crossorigin/g, "<link rel=\"stylesheet\""),
    },
  };
}

export default defineConfig({
  base: "./",
  resolve: { alias: { "#engine": resolve(engine, "engine2d_web.js"), "#draw": resolve(replay, "draw.js") } },
  build: {
    outDir: out, emptyOutDir: true, modulePreload: false, target: "es2022", assetsInlineLimit: 0, cssCodeSplit: false,
    rollupOptions: { output: { format: "iife", entryFileNames: "lab.js", assetFileNames: "lab[extname]" } },
  },
  worker: { format: "iife" },
  plugins: [engineFiles()],
});
