import { type RefusalReason, reasonOf } from '../domain/license/verification.ts';
import { isRefusal } from '../domain/refusal.ts';
import { DOMAIN_CHARACTERS_MAX, normalizeSiteDomain } from '../domain/site/site-domain.ts';
import type { NoteAnswer } from '../http/access-log.ts';
import { type After, type Clock, SECOND_MS } from '../lib/clock.ts';
import { flushEvery } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Writer } from '../storage/engine/writer.ts';
import { REFUSED_DOMAINS_MAX } from '../storage/licenses/refused-domains.ts';

const EVERY_MS = 5 * SECOND_MS;
/** Domains of all licenses between two writes, so that no transaction takes long. */
const NOTED_MAX = 5_000;

interface RefusedDomainParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
}

interface Refusals {
  reason: RefusalReason;
  count: number;
  lastAt: number;
}

/** Refusals by license and domain as sent, in bounded memory. */
class NotedRefusals {
  readonly #byLicense = new Map<number, Map<string, Refusals>>();
  #size = 0;

  add(licenseId: number, domain: string, refusals: Refusals): void {
    const ofLicense = this.#byLicense.get(licenseId) ?? new Map<string, Refusals>();
    const known = ofLicense.get(domain);
    if (known) {
      known.count += refusals.count;
      if (refusals.lastAt >= known.lastAt) Object.assign(known, { ...refusals, count: known.count });
    } else if (ofLicense.size < REFUSED_DOMAINS_MAX && this.#size < NOTED_MAX) {
      ofLicense.set(domain, { ...refusals });
      this.#byLicense.set(licenseId, ofLicense);
      this.#size += 1;
    }
  }

  *each(): Iterable<readonly [licenseId: number, domain: string, Refusals]> {
    for (const [licenseId, ofLicense] of this.#byLicense)
      for (const [domain, refusals] of ofLicense) yield [licenseId, domain, refusals];
  }
}

/**
 * Collects domains that license/verify refuses, and stores them every five seconds. Texts that are not domains are discarded.
 * After a failure, the domains are stored with the next ones.
 */
export function startRefusedDomains({ clock, after, log, writer }: RefusedDomainParts) {
  let noted = new NotedRefusals();

  const write = async () => {
    const taken = noted;
    noted = new NotedRefusals();
    // Normalized here, so that the answer does not wait for it.
    const refusals = [...taken.each()].flatMap(([licenseId, text, each]) => {
      const domain = normalizeSiteDomain(text)?.name;
      return domain === undefined ? [] : { licenseId, domain, ...each };
    });
    if (refusals.length === 0) return;
    if (!isRefusal(await writer.write('addRefusedDomains', { refusals }))) return;
    for (const each of taken.each()) noted.add(...each);
  };

  const stop = flushEvery(EVERY_MS, after, write, (error) =>
    log.error('refused domains were lost', { fault: faultOf(error) }),
  );

  const note: NoteAnswer = ({ licenseId, verification, domain }) => {
    const reason = verification && reasonOf(verification);
    if (reason === undefined || domain === undefined || domain.length > DOMAIN_CHARACTERS_MAX) return;
    noted.add(licenseId, domain, { reason, count: 1, lastAt: clock.now() });
  };

  return { note, stop };
}
