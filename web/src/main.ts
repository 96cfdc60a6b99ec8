/** The start of the browser table. */
import { mount } from "svelte";
import App from "./App.svelte";
import { speak } from "./lib/say.svelte";
import { keepSettings, settings } from "./lib/settings.svelte";
import "./theme.css";

await speak(settings.language);
keepSettings();
const target = document.getElementById("app");
if (target) {
  target.replaceChildren(); // what the page shows while this script is on its way
  mount(App, { target });
}
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js").catch(() => {});
