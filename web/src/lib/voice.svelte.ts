/** What the table says in words: a note on the screen, and what a screen reader hears. */

export class Voice {
  /** A note on the table, for a few seconds. */
  toast = $state("");
  /** What on the table the note is about: its anchor. */
  about = $state<string | null>(null);
  polite = $state("");
  assertive = $state("");
  #gathered: string[] = [];
  #gathering = 0;
  #fading = 0;

  /** Tell a listener, gathering what comes at once into one message. */
  announce(texts: string[]): void {
    this.#gathered.push(...texts);
    clearTimeout(this.#gathering);
    this.#gathering = window.setTimeout(() => {
      this.polite = this.#gathered.slice(-6).join(" ");
      this.#gathered = [];
    }, 600);
  }

  /** Answer the player, on the screen and aloud. */
  explain(text: string, about: string | null = null): void {
    this.toast = text;
    this.about = about;
    this.polite = text;
    clearTimeout(this.#fading);
    this.#fading = window.setTimeout(() => (this.toast = ""), 4500);
  }

  stop(): void {
    clearTimeout(this.#gathering);
    clearTimeout(this.#fading);
  }
}
