import type { Category } from './categories.ts';

/** A kind of finding: what it is called, what it belongs to and how much it says. */
export interface Signal {
  readonly category: Category;
  /** Log-odds that it adds, in nats: 1 makes malice about 2.7 times as likely. Negative for what speaks against it. */
  readonly weight: number;
  /** What was seen, as the first part of a reason. */
  readonly what: string;
}

export const signal = (category: Category, weight: number, what: string): Signal => ({
  category,
  weight,
  what,
});

/** One finding. A signal counts once, however often it is found. */
export interface Finding {
  readonly signal: Signal;
  /** Where: a line, a parameter, a layer. Never the content itself. */
  readonly where: string;
}

/** What is read: a whole content, a window of it, or a part. */
export interface Extract {
  readonly content: string;
  /** Lines of the whole content before it. */
  readonly linesBefore: number;
}

/** Collects findings, the first of each signal. */
export class Findings {
  readonly #bySignal = new Map<Signal, string>();
  readonly #parts: Findings[] = [];
  /** Lines of the whole content before what is read. */
  readonly linesBefore: number;
  /** What is read, of a part that stands in one piece. */
  readonly content: string | undefined;

  constructor(linesBefore = 0, content?: string) {
    this.linesBefore = linesBefore;
    this.content = content;
  }

  /** Begins findings of a part of the content, which is judged by itself as well: what the rest says for the whole does not help it. */
  apart(extract?: Extract): Findings {
    const part = new Findings(extract?.linesBefore ?? this.linesBefore, extract?.content);
    this.#parts.push(part);
    return part;
  }

  /** Findings of parts that are judged by themselves. */
  get parts(): readonly Findings[] {
    return this.#parts;
  }

  add(signal: Signal, where: string): void {
    if (!this.#bySignal.has(signal)) this.#bySignal.set(signal, where);
  }

  has(signal: Signal): boolean {
    return this.#bySignal.has(signal);
  }

  get all(): readonly Finding[] {
    return [...this.#bySignal].map(([signal, where]) => ({ signal, where }));
  }
}
