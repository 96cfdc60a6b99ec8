/** Notifications of the system's, for a turn that comes while the tab is hidden. */
import { settings } from "./settings.svelte";

/** Ask for the right to notify; says whether there is one. */
export async function mayNotify(): Promise<boolean> {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

/** Tell somebody who looks elsewhere, if they want to be told. */
export function notify(title: string, body: string): void {
  if (!document.hidden || !settings.notify || !("Notification" in window) || Notification.permission !== "granted") return;
  const options = { body, tag: "karma-turn", icon: "/icon-192.png", data: location.href };
  // Phones let only the service worker notify.
  navigator.serviceWorker?.getRegistration().then(
    (worker) => worker?.showNotification(title, options),
    () => {},
  );
}
