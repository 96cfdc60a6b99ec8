/** Installing the table as an app, where the browser offers it. */

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let offer = $state.raw<InstallPrompt | null>(null);

window.addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // asked for by our own button, and not unasked
  offer = event as InstallPrompt;
});
window.addEventListener("appinstalled", () => (offer = null));

export const mayInstall = () => offer !== null;

export async function install(): Promise<void> {
  await offer?.prompt();
  offer = null; // an offer is good for one answer
}
