/** The server's HTTP side: JSON in, JSON out, and problems as codes. */
import type { About, Joined, NewTable, Player } from "../protocol";

export class Problem extends Error {
  constructor(
    readonly code: string,
    readonly parameters: Record<string, unknown>,
    readonly status: number,
  ) {
    super(code);
  }
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      credentials: "same-origin",
      ...(body === undefined
        ? method === "GET"
          ? {}
          : { headers: { "content-type": "application/json" }, body: "{}" }
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Problem("unreachable", {}, 0);
  }
  const text = await answer.text();
  let value: unknown = null;
  try {
    value = text === "" ? null : JSON.parse(text);
  } catch {
    throw new Problem("server_error", {}, answer.status);
  }
  if (!answer.ok) {
    const problem = (value ?? {}) as { code?: string; parameters?: Record<string, unknown> };
    throw new Problem(problem.code ?? "server_error", problem.parameters ?? {}, answer.status);
  }
  return value as T;
}

export const get = <T>(path: string) => request<T>("GET", path);
export const post = <T>(path: string, body?: unknown) => request<T>("POST", path, body);
export const remove = (path: string) => request<null>("DELETE", path);
export const put = <T>(path: string, body: unknown) => request<T>("PUT", path, body);

let known: About | null = null;

/** What this server offers; asked for once. */
export async function about(): Promise<About> {
  known ??= await get<About>("/about");
  return known;
}

/** Who we are, or null for a browser the server has never seen. */
export async function whoAmI(): Promise<Player | null> {
  try {
    return await get<Player>("/player");
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 401) return null;
    throw problem;
  }
}

/** Be somebody of that name: a new player, or ours renamed. */
export async function beCalled(name: string): Promise<Player> {
  const player = await whoAmI();
  if (player === null) return post<Player>("/player", { name });
  if (player.name === name) return player;
  return put<Player>("/player", { name });
}

export const openTable = (table: NewTable) => post<Joined>("/tables", table);
