// Offline: the page itself, the rules that were read, and the last replays. Never a game in progress.
const SHELL = "karma-shell-1";
const PAPERS = "karma-papers-1";
const KEPT = 60;
const READABLE = /^\/api\/(about|rules\/[^/]+|tables\/[^/]+\/(rules|games(\/.*)?))$/;

async function keepShell() {
  const cache = await caches.open(SHELL);
  const answer = await fetch("/", { cache: "no-cache" });
  if (!answer.ok) return;
  const page = await answer.clone().text();
  await cache.put("/", answer);
  const parts = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]);
  const present = new Set(["/", ...parts]);
  await Promise.all(parts.map((part) => cache.match(part).then((known) => known ?? cache.add(part))));
  for (const request of await cache.keys())
    if (!present.has(new URL(request.url).pathname)) await cache.delete(request);
}

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

async function page(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) void keepShell().catch(() => {});
    return answer;
  } catch {
    return (await caches.match("/")) ?? Response.error();
  }
}

async function paper(request) {
  const cache = await caches.open(PAPERS);
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      await cache.put(request, answer.clone());
      const kept = await cache.keys();
      await Promise.all(kept.slice(0, Math.max(0, kept.length - KEPT)).map((old) => cache.delete(old)));
    }
    return answer;
  } catch {
    return (await cache.match(request)) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (READABLE.test(pathname)) event.respondWith(paper(request));
  else if (!pathname.startsWith("/api/"))
    event.respondWith(caches.match(request).then((known) => known ?? fetch(request)));
});

// A notification of one's turn leads back to the table that sent it.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((windows) => {
      const open = windows.find((client) => client.url === address);
      return open ? open.focus() : self.clients.openWindow(address);
    }),
  );
});
