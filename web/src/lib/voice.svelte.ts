/** What the table says in words: a note on the screen, and what a screen reader hears. */

export class Voice {
  /** A note above the buttons, for a few seconds. */
  toast = $state("");
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
  explain(text: string): void {
    this.toast = text;
    this.polite = text;
    clearTimeout(this.#fading);
    this.#fading = window.setTimeout(() => (this.toast = ""), 4500);
  }

  stop(): void {
    clearTimeout(this.#gathering);
    clearTimeout(this.#fading);
  }
}
