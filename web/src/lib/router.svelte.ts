/** Addresses of screens: a path each, so that every screen can be linked, reloaded and gone back to. */

export type Route =
  | { screen: "home" }
  | { screen: "setup" }
  | { screen: "join"; code: string }
  | { screen: "transfer" }
  | { screen: "table"; table: string }
  | { screen: "replay"; table: string; game: number }
  | { screen: "review"; table: string; game: number }
  | { screen: "fair"; table: string; game: number }
  | { screen: "rules"; table: string | null }
  | { screen: "shared"; code: string }
  | { screen: "profile" }
  | { screen: "learn" }
  | { screen: "settings" }
  | { screen: "lost" };

export function parse(path: string): Route {
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = path.split("/").filter(Boolean);
  switch (first) {
    case "":
      return { screen: "home" };
    case "new":
      return { screen: "setup" };
    case "join":
      return { screen: "join", code: decodeURIComponent(second) };
    case "profile":
      return { screen: "profile" };
    case "shared":
      return { screen: "shared", code: decodeURIComponent(second) };
    case "transfer":
      return { screen: "transfer" };
    case "learn":
      return { screen: "learn" };
    case "settings":
      return { screen: "settings" };
    case "rules":
      return { screen: "rules", table: second || null };
    case "table": {
      const game = Number(fourth);
      if (second && third === "game" && Number.isInteger(game) && game > 0)
        return { screen: fifth === "fair" || fifth === "review" ? fifth : "replay", table: second, game };
      if (second && !third) return { screen: "table", table: second };
    }
  }
  return { screen: "lost" };
}

export const place = $state({ path: location.pathname, hash: location.hash });

function read(): void {
  place.path = location.pathname;
  place.hash = location.hash;
}

window.addEventListener("popstate", read);

let steps = 0; // how far we can go back without leaving the table's pages

export function go(path: string, replace = false): void {
  if (!replace) steps += 1;
  history[replace ? "replaceState" : "pushState"](null, "", path);
  read();
  window.scrollTo(0, 0);
}

/** To where we came from, or to the start for who came by a link. */
export function back(): void {
  if (steps === 0) go("/", true);
  else {
    steps -= 1;
    history.back();
  }
}

/** Let clicks on our own links change the screen without loading the page anew. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
