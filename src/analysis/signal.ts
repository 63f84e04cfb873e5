import type { Category } from './categories.ts';

/**
 * Log-odds of malice, in nats: 1 makes malice about 2.7 times as likely. A hint needs others, a strong signal makes a content
 * suspicious, a sure one malicious; an ordinary one reduces suspicion.
 */
const WEIGHTS = { hint: 1.2, strong: 3.2, sure: 5.3, ordinary: -1.5 } as const;

/** Maximum total weight of several signals, in nats. */
export interface Limit {
  readonly weightMax: number;
}

/** These signals alone make a content at most suspicious. */
export const SUSPICIOUS_AT_MOST: Limit = { weightMax: 4.2 };

/** A kind of finding with its category and weight. */
export interface Signal {
  readonly category: Category;
  /** Log-odds that it adds, in nats; negative = against malice. */
  readonly weight: number;
  /** Description, the first part of a reason. */
  readonly what: string;
  /** Shared limit for signals that prove little even together. */
  readonly limit?: Limit;
}

/** Creates a signal with the weight of a class; signals of addresses, texts and the model have individual weights. */
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
  /** A line, a parameter or a layer; never content. */
  readonly where: string;
}

/** The analysed text: a whole content, a window of it, or a part. */
export interface Extract {
  readonly content: string;
  /** Lines of the whole content before it. */
  readonly linesBefore: number;
}

/** Collects findings, the first of each signal. */
export class Findings {
  readonly #bySignal = new Map<Signal, string>();
  readonly #parts: Findings[] = [];
  /** Lines of the whole content before the analysed text. */
  readonly linesBefore: number;
  /** The analysed text, for parts that are contiguous. */
  readonly content: string | undefined;

  constructor(linesBefore = 0, content?: string) {
    this.linesBefore = linesBefore;
    this.content = content;
  }

  /** Adds a part that is also judged separately, so that innocent signals of the rest do not outweigh its findings. */
  apart(extract?: Extract): Findings {
    const part = new Findings(extract?.linesBefore ?? this.linesBefore, extract?.content);
    this.#parts.push(part);
    return part;
  }

  /** The parts that are judged separately. */
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
