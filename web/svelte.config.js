import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  // Short names for scopes: they stand at every element of the script.
  compilerOptions: { cssHash: ({ hash, filename }) => `s${hash(filename.split("/").at(-1)).slice(0, 4)}` },
};
