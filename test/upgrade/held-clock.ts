import { env } from 'node:process';

// A service with a stopped clock, so that its answers do not depend on the time of a request.
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

// Imported only now, because it may read the clock when it is loaded.
await import('../../src/main.ts');
