import { env } from 'node:process';

// A service whose clock stands still, so that what it answers does not depend on when it is asked.
const heldAt = Number(env.HELD_AT);
const SystemDate = Date;

globalThis.Date = class extends SystemDate {
  constructor(...at: []) {
    if (at.length === 0) super(heldAt);
    else super(...at);
  }

  static override now(): number {
    return heldAt;
  }
} as DateConstructor;

// Only now, as it may look at the clock when it is loaded.
await import('../../src/main.ts');
