/** The build of the browser table: its script, styles and icons go into the Python package. */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { catalogues } from "./catalogues.ts";
import { fonts } from "./fonts.ts";
import { pngIcons } from "./icons.ts";

const server = process.env.KARMA_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [
    svelte(),
    catalogues(),
    fonts(),
    pngIcons(),
  ],
  build: {
    outDir: "../src/karma/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // a data: address would need a hole in the content security policy
    modulePreload: { polyfill: false }, // the review is a piece of its own, and what it shares is another
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
});
