/** Which key was meant. */

/** A key by its letter; where the keyboard writes another alphabet, by its place on a Latin one. */
export function keyOf(event: Pick<KeyboardEvent, "key" | "code">): string {
  if (event.key.length > 1 || /^[a-z?]$/i.test(event.key)) return event.key.toLowerCase();
  return /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase() ?? event.key;
}
