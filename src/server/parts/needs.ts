import type { ServiceInput } from '../../settings/service-input.ts';
import type { Store } from '../store.ts';

/** Members of the store, which persists across reloads. */
export interface OfStore<Name extends keyof Store> {
  readonly store: Pick<Store, Name>;
}

/** Members of the input, which each reload replaces. */
export type Input<Name extends keyof ServiceInput> = Pick<ServiceInput, Name>;

export interface Closing {
  /** Stops the parts of this input. */
  readonly closing: AsyncDisposableStack;
}

export interface OfClock {
  readonly isClockBehind: () => boolean;
}
