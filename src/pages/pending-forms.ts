import type { Form } from '../http/form.ts';
import { setBounded } from '../lib/set-bounded.ts';

/** A form that is sent once its person has given credentials again. */
export interface PendingForm {
  readonly path: string;
  readonly form: Form;
}

interface Kept extends PendingForm {
  /** On the monotonic clock, in milliseconds. */
  readonly leftAt: number;
}

/** Of 64 KiB each, in memory; the one that was left longest ago makes room. */
const FORMS_MAX = 100;

/** Keeps one form of a session while its person is at the identity provider. */
export class PendingForms {
  readonly #left = new Map<string, Kept>();
  readonly #monotonicMs: () => number;
  readonly #lastsMs: number;

  /** @param lastsMs how long a form is kept */
  constructor(lastsMs: number, monotonicMs: () => number) {
    this.#lastsMs = lastsMs;
    this.#monotonicMs = monotonicMs;
  }

  /** @param session by the hash of its token */
  leave(session: string, pending: PendingForm): void {
    setBounded(this.#left, session, { ...pending, leftAt: this.#monotonicMs() }, FORMS_MAX);
  }

  /** Gives the form of a session to the one that replaces it. */
  move(session: string, next: string): void {
    const kept = this.#left.get(session);
    this.#left.delete(session);
    if (kept) this.#left.set(next, kept);
  }

  find(session: string): PendingForm | undefined {
    const kept = this.#left.get(session);
    return kept && this.#monotonicMs() - kept.leftAt < this.#lastsMs ? kept : undefined;
  }
}
