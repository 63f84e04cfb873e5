import type { Outcome } from '../../domain/notification/delivery.ts';
import { FORBIDDEN } from '../../domain/notification/target-address.ts';

type Bad = Exclude<Outcome, { outcome: 'delivered' }>;

/** Why a message was not sent, or not answered. */
export type ConnectionProblem =
  | 'unresolvable'
  | 'forbidden_address'
  | 'unreachable'
  | 'tls_failed'
  | 'untrusted'
  | 'expired'
  | 'wrong_name'
  | 'timeout'
  | 'closed'
  | 'malformed';

const WORDS: Readonly<Record<ConnectionProblem, string>> = {
  unresolvable: "The receiver's name does not resolve. Check the address, and the DNS of this host.",
  forbidden_address: FORBIDDEN,
  unreachable:
    'The receiver does not accept connections. Check that it runs, and that firewalls let this host reach it. The unit must allow its address in IPAddressAllow=.',
  tls_failed: 'The receiver does not speak TLS. Check the address and its port.',
  untrusted:
    "The receiver's certificate is not signed by a trusted CA. Replace the certificate. For a CA of your own, use --ca.",
  expired: "The receiver's certificate has expired or is not valid yet. Renew it.",
  wrong_name: "The receiver's certificate is for another name. Use the name that it was issued for.",
  timeout: 'The receiver did not respond in time. Check its load.',
  closed: 'The receiver closed the connection without a response. Check its log.',
  malformed: 'The receiver sent something that is not a valid response. Check the address and its port.',
};

/** The outcome of an attempt that failed before a response. A forbidden address is not retried. */
export const failedBy = (problem: ConnectionProblem, latencyMs: number): Bad => ({
  outcome: problem === 'forbidden_address' ? 'refused' : 'failed',
  status: null,
  latencyMs,
  reason: WORDS[problem],
});

export const latencySince = (startedAt: number): number => Math.round(performance.now() - startedAt);
