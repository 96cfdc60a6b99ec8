/** Short sounds, made here: paper that slides, flicks and is gathered up; a pair of notes for your turn. */
import { settings } from "./settings.svelte";
import type { Event } from "./texts";

let context: AudioContext | null = null;
let hiss: AudioBuffer | null = null;

function tone(frequency: number, at: number, length: number, volume: number): void {
  if (!context) return;
  const oscillator = context.createOscillator();
  oscillator.frequency.value = frequency;
  shape(oscillator, at, length, volume);
}

/** A brush of paper: noise around a pitch, which rises or falls as the card moves. */
function paper(at: number, length: number, from: number, to: number, volume: number): void {
  if (!context) return;
  if (!hiss) {
    hiss = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const samples = hiss.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  }
  const start = context.currentTime + at;
  const source = context.createBufferSource();
  source.buffer = hiss;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.Q.value = 0.9;
  filter.frequency.setValueAtTime(from, start);
  filter.frequency.exponentialRampToValueAtTime(to, start + length);
  shape(source, at, length, volume, filter);
}

function shape(source: AudioScheduledSourceNode, at: number, length: number, volume: number, filter?: AudioNode): void {
  if (!context) return;
  const start = context.currentTime + at;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  (filter ? source.connect(filter) : source).connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}

const SOUNDS = {
  card: () => paper(0, 0.09, 2600, 1400, 0.3),
  flip: () => {
    paper(0, 0.1, 1200, 3200, 0.25);
    paper(0.12, 0.08, 2600, 1300, 0.3);
  },
  deal: () => [0, 1, 2].forEach((index) => paper(index * 0.08, 0.08, 2400, 1500, 0.25)),
  take: () => [0, 1, 2, 3, 4].forEach((index) => paper(index * 0.05, 0.07, 1800 - index * 180, 900, 0.28)),
  give: () => paper(0, 0.32, 700, 2800, 0.3),
  tick: () => paper(0, 0.03, 4200, 3800, 0.25),
  turn: () => {
    tone(523, 0, 0.16, 0.12);
    tone(784, 0.12, 0.28, 0.12);
  },
  set: () => {
    paper(0, 0.4, 1200, 4800, 0.22);
    [659, 784, 988].forEach((note, index) => tone(note, index * 0.07, 0.18, 0.08));
  },
  out: () => [523, 659, 784].forEach((note, index) => tone(note, index * 0.09, 0.3, 0.1)),
  over: () => [392, 494, 587, 784].forEach((note, index) => tone(note, index * 0.11, 0.35, 0.1)),
};

export type Sound = keyof typeof SOUNDS;

/** Make a sound, if the player wants any; browsers allow it after the first tap. */
export function sound(name: Sound): void {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    void context.resume();
    SOUNDS[name]();
  } catch {
    // A browser without sound plays silently.
  }
}

/** What is heard of events: the most that happened. */
const SOUNDS_OF: [string, Sound][] = [
  ["ended", "over"],
  ["went_out", "out"],
  ["completed_set", "set"],
  ["gave", "give"],
  ["picked_up", "take"],
  ["turned_over", "flip"],
  ["revealed", "deal"],
];

export function soundOf(events: readonly Event[]): Sound {
  const names = new Set<string>(events.map((event) => event.event));
  return SOUNDS_OF.find(([name]) => names.has(name))?.[1] ?? "card";
}
