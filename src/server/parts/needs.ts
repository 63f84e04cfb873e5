import type { ServiceInput } from '../../settings/service-input.ts';
import type { Store } from '../store.ts';

/** What a part uses of the store, which outlives reloads. */
export interface OfStore<Name extends keyof Store> {
  readonly store: Pick<Store, Name>;
}

/** What a part uses of an input. */
export type Input<Name extends keyof ServiceInput> = Pick<ServiceInput, Name>;

export interface Closing {
  /** Ends what runs on a schedule. */
  readonly closing: AsyncDisposableStack;
}

export interface OfClock {
  readonly isClockBehind: () => boolean;
}
