/** Short sounds, made here: a tick for a card, a rising pair for your turn, a falling one for a pile taken. */
import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

function tone(frequency: number, at: number, length: number, volume: number, type: OscillatorType = "sine"): void {
  if (!context) return;
  const start = context.currentTime + at;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(frequency, start);
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

const SOUNDS = {
  card: () => tone(520, 0, 0.07, 0.08, "triangle"),
  turn: () => {
    tone(523, 0, 0.16, 0.14);
    tone(784, 0.12, 0.28, 0.14);
  },
  take: () => {
    tone(330, 0, 0.14, 0.1, "triangle");
    tone(247, 0.1, 0.2, 0.1, "triangle");
  },
  set: () => [659, 784, 988].forEach((frequency, index) => tone(frequency, index * 0.07, 0.18, 0.1)),
  over: () => [392, 494, 587, 784].forEach((frequency, index) => tone(frequency, index * 0.11, 0.35, 0.12)),
};

export type Sound = keyof typeof SOUNDS;

/** Make a sound, if the player wants any. */
export function sound(name: Sound): void {
  if (!settings.sound) return;
  try {
    context ??= new AudioContext();
    void context.resume();
    SOUNDS[name]();
  } catch {
    // A browser without sound plays silently.
  }
}
