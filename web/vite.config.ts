import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import tailwindcss from "@tailwindcss/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = dirname(fileURLToPath(import.meta.url));
const packs = resolve(here, "../src/whence/packs");
const server = process.env.WHENCE_URL ?? "http://127.0.0.1:8000";

/** Lets the pages of packs, which live beside their Python code, use this folder's libraries. */
function packImports(): Plugin {
  return {
    name: "pack-imports",
    enforce: "pre",
    resolveId(source, importer) {
      if (!importer?.startsWith(packs) || /^[./@]/.test(source)) return null;
      return this.resolve(source, resolve(here, "src/app/main.tsx"), { skipSelf: true });
    },
  };
}

/** Writes each text file again, compressed in both ways that browsers take, to be sent as it is. */
function compressed(): Plugin {
  const folder = resolve(here, "../src/whence/web_dist");
  return {
    name: "compressed",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
        if (/\.(js|css|svg|html)$/.test(name)) {
          const path = resolve(folder, name);
          const content = readFileSync(path);
          writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
          writeFileSync(`${path}.br`, brotliCompressSync(content));
        }
    },
  };
}

// Vite itself makes the styles small; Tailwind's own pass warns of `::highlight`, which it lacks.
export default defineConfig({
  plugins: [packImports(), react(), tailwindcss({ optimize: false }), compressed()],
  resolve: { alias: { "@": resolve(here, "src") } },
  build: {
    outDir: resolve(here, "../src/whence/web_dist"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
  },
  server: {
    port: 5173,
    fs: { allow: [here, packs] },
    proxy: Object.fromEntries(
      ["/api", "/sign-in?", "/docs", "/openapi.json", "/healthz", "/problems", "/socket.io"].map(
        (path) => [
          path,
          // The server answers its own name only, and takes changes from its own pages only.
          {
            target: server,
            changeOrigin: true,
            ws: path === "/socket.io",
            headers: { origin: server },
          },
        ],
      ),
    ),
  },
  test: {
    dir: resolve(here, ".."),
    include: ["web/src/**/*.test.{ts,tsx}", "src/whence/packs/*/ui/**/*.test.{ts,tsx}"],
    environment: "node",
  },
});
