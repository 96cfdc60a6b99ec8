/** Which key was meant, and where the arrows lead. */

/** A key by its letter; where the keyboard writes another alphabet, by its place on a Latin one. */
export function keyOf(event: Pick<KeyboardEvent, "key" | "code">): string {
  if (event.key.length > 1 || /^[a-z?]$/i.test(event.key)) return event.key.toLowerCase();
  return /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase() ?? event.key;
}

/** Arrows go from button to button of a group, of which one is reached by Tab. */
export function walk(event: KeyboardEvent) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button:not([aria-hidden])")];
  event.preventDefault();
  all[all.indexOf(event.target as HTMLElement) + step]?.focus();
}
