import type { TObject, TSchema } from '@sinclair/typebox';
import type { PrivacyPolicy } from '../../domain/privacy/gate.ts';
import type { Refusal, RefusalCode } from '../../domain/refusal.ts';

/** A write-only signal as plain data and pure functions; `signalRoute` creates its route. */
export interface Signal {
  /** Name of its type in the contract, such as `PcGuardSignal`. */
  readonly name: string;
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly capBytes: number;
  /** The policy of the privacy gate, which runs before the schema check. */
  readonly privacy: PrivacyPolicy;
  readonly codes: SignalCodes;
  readonly body: TObject;
  /** Schema of the answer's data. */
  readonly answer: TSchema;
  /** Description and example of the answer in the contract. */
  readonly answered: { readonly description: string; readonly example: object };
  /** The identity by which signals are aggregated. It is derived from the license key, not taken from the body. */
  readonly identity: 'siteIdHash' | 'licenseIdHash' | 'appIdHash';
  /**
   * `replaced`: replaces the license's previous signal for the same site. `stored`: is added to earlier signals, for the
   * retention period.
   */
  readonly persistence: Persistence;
  /** Returns the record to store and the answer for a valid body, or a refusal. */
  readonly receive: (body: Readonly<Record<string, unknown>>, receipt: Receipt) => Received | Refusal;
}

export type Persistence = 'stored' | 'replaced';

export interface SignalCodes {
  /** The body is malformed or has unknown fields. */
  readonly shape: RefusalCode;
  /** The privacy gate refused the body. */
  readonly privacy: RefusalCode;
  /** `receive` refused the body. */
  readonly binding?: readonly RefusalCode[];
}

export interface Receipt {
  /** The identity derived from the sender's key. */
  readonly identity: string;
  /** Time of receipt, ISO 8601 in UTC. */
  readonly receivedAt: string;
}

export interface Received {
  /** The site as named by the sender; absent if the signal is about the whole license. */
  readonly site?: string;
  /** The data to store. */
  readonly record: object;
  /** The data of the answer. */
  readonly answer: object;
}
