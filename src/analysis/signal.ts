import type { Category } from './categories.ts';

/**
 * Log-odds of malice, in nats: 1 makes it about 2.7 times as likely. A hint needs company, a strong signal makes a content
 * suspicious, a sure one malicious. What is ordinary speaks against malice.
 */
const WEIGHTS = { hint: 1.2, strong: 3.2, sure: 5.3, ordinary: -1.5 } as const;

/** What signals of one kind say together at most, in nats, however many of them are found. */
export interface Limit {
  readonly weightMax: number;
}

/** Alone these signals make a content suspicious, and never malicious. */
export const SUSPICIOUS_AT_MOST: Limit = { weightMax: 4.2 };

/** A kind of finding: what it is called, what it belongs to and how much it says. */
export interface Signal {
  readonly category: Category;
  /** Log-odds that it adds, in nats. Negative for what speaks against malice. */
  readonly weight: number;
  /** What was seen, as the first part of a reason. */
  readonly what: string;
  /** Of signals that say little together as well. */
  readonly limit?: Limit;
}

/** A signal of one of the classes, or, of addresses, texts and the model alone, of a weight of its own. */
export const signal = (
  category: Category,
  weight: keyof typeof WEIGHTS | number,
  what: string,
  limit?: Limit,
): Signal => ({
  category,
  weight: typeof weight === 'number' ? weight : WEIGHTS[weight],
  what,
  ...(limit && { limit }),
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
