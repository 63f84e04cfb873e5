import { MINUTE_MS } from '../../lib/clock.ts';
import type { Refusal } from '../refusal.ts';
import { DIGEST_MS_MAX, FILTERED_MAX, TARGET_NAME_RULE } from './target.ts';

const MINUTES_MAX = (DIGEST_MS_MAX / MINUTE_MS).toLocaleString('en');

/** By the field of a body: what a person has to enter in a form instead. */
const WORDS: Readonly<Record<string, string>> = {
  name: `The name ${TARGET_NAME_RULE}.`,
  address: 'Enter an address, such as https://hooks.example.com/ or mailto:alerts@example.com.',
  events: 'Choose at least one event from the list.',
  min_severity: 'Choose the lowest severity from the list.',
  digest_minutes: `The time to collect events must be a whole number of minutes from 0 to ${MINUTES_MAX}.`,
  format: 'Choose a format from the list.',
  ca: 'The CA certificates are not in PEM. Paste the whole file.',
  license_ids: `Name up to ${FILTERED_MAX} licenses by their IDs, such as lic_1.`,
  customers: `Enter up to ${FILTERED_MAX} customers, one per line.`,
};

/** Why the form of a target was refused, in words for a person: what the check of a body reports is for programs. */
export function refusalWords({ refused, message }: Refusal): string {
  const [, field = ''] = /^([a-z_]+)(?:\[\d+\])?: /.exec(message) ?? [];
  return (refused === 'INVALID_PAYLOAD' ? WORDS[field] : undefined) ?? message;
}
