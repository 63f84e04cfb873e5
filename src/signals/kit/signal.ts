import type { TObject, TSchema } from '@sinclair/typebox';
import type { PrivacyPolicy } from '../../domain/privacy/gate.ts';
import type { Refusal, RefusalCode } from '../../domain/refusal.ts';

/** A write-only signal as plain data and pure functions. route.ts mounts it. */
export interface Signal {
  /** Of its type in the contract, such as `PcGuardSignal`. */
  readonly name: string;
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly capBytes: number;
  /** What the privacy gate refuses, before the schema sees the body. */
  readonly privacy: PrivacyPolicy;
  readonly codes: SignalCodes;
  readonly body: TObject;
  /** The data of a success. */
  readonly answer: TSchema;
  /** What the contract says of it and shows. */
  readonly answered: { readonly description: string; readonly example: object };
  /** The identity under which the signal is aggregated; derived from the key, not from the body. */
  readonly identity: 'siteIdHash' | 'licenseIdHash' | 'appIdHash';
  /** `replaced`: it stands in the place of the license's earlier one for the same site. `stored`: kept for the retention time. */
  readonly persistence: Persistence;
  /** What to keep of a body of the right shape, and what to answer; or why it may not be kept after all. */
  readonly receive: (body: Readonly<Record<string, unknown>>, receipt: Receipt) => Received | Refusal;
}

export type Persistence = 'stored' | 'replaced';

export interface SignalCodes {
  /** Of a body that is malformed or not of the vocabulary. */
  readonly shape: RefusalCode;
  /** Of a body that holds what it must not. */
  readonly privacy: RefusalCode;
  /** Of what `receive` refuses. */
  readonly binding?: readonly RefusalCode[];
}

export interface Receipt {
  /** The derived identity of the sender. */
  readonly identity: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
}

export interface Received {
  /** Which of the license's sites it is about, as its sender names it; absent when there is one for the license. */
  readonly site?: string;
  /** What is kept. */
  readonly record: object;
  /** The data of the answer. */
  readonly answer: object;
}
