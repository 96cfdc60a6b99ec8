import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    // What Svelte keeps for components of its older kind is left out of the script.
    runes: true,
    discloseVersion: false,
    // Short names for scopes: they stand at every element of the script.
    cssHash: ({ hash, filename }) => `s${hash(filename.split("/").at(-1)).slice(0, 4)}`,
  },
};
