import type { Form } from '../http/form.ts';
import { setBounded } from '../lib/set-bounded.ts';

/** A form that is submitted after its person has signed in again. */
export interface PendingForm {
  readonly path: string;
  readonly form: Form;
}

interface Kept extends PendingForm {
  /** Time on the monotonic clock, in milliseconds. */
  readonly leftAt: number;
}

/** Maximum number of forms, each up to 64 KiB in memory. Beyond it, the oldest is dropped. */
const FORMS_MAX = 100;

/** Stores one form per session while its person signs in at the identity provider. */
export class PendingForms {
  readonly #left = new Map<string, Kept>();
  readonly #monotonicMs: () => number;
  readonly #lastsMs: number;

  /** @param lastsMs time after which a form is no longer found */
  constructor(lastsMs: number, monotonicMs: () => number) {
    this.#lastsMs = lastsMs;
    this.#monotonicMs = monotonicMs;
  }

  /** @param session hash of the session's token */
  leave(session: string, pending: PendingForm): void {
    setBounded(this.#left, session, { ...pending, leftAt: this.#monotonicMs() }, FORMS_MAX);
  }

  /** Moves the form of a session to the session that replaces it. */
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
