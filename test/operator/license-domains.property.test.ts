import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { defaultCatalog } from '../../src/domain/license/catalog.ts';
import { newLicenseKey } from '../../src/domain/license/license-key.ts';
import { isRefusal } from '../../src/domain/refusal.ts';
import { oneAfterAnother } from '../../src/lib/one-after-another.ts';
import { bindDomain, blockDomain, unbindDomain, unblockDomain } from '../../src/operator/license-domains.ts';
import { prepareChanges } from '../../src/storage/changes.ts';
import { disconnect } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { readLicenses } from '../../src/storage/licenses/licenses.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

const SITES = 2;
const author = { actor: 'cli:alice', now: 1 } as const;
const ACTS = ['claim', 'bind', 'unbind', 'unbind --block', 'block', 'unblock'] as const;
const steps = fc.array(fc.tuple(fc.constantFrom(...ACTS), fc.constantFrom('a.com', 'b.com', 'c.com')));

test('after any sequence of acts and first uses, domains match the model', async () => {
  const db = await engine.open();
  const [transact, jobs, licenses] = [prepareChanges(db), prepareJobs(db), readLicenses(db)];
  const find = async (id: number) => (await licenses.find(id)) ?? expect.unreachable();
  const perform = async (does: (typeof ACTS)[number], id: number, domain: string): Promise<boolean> => {
    const claim = { licenseId: id, domain, sitesAllowed: SITES, now: 1 };
    if (does === 'claim') return !isRefusal(await jobs.claimDomain(claim));
    const license = await find(id);
    const plan = await {
      bind: () => bindDomain(db, license, domain, defaultCatalog, author),
      unbind: () => unbindDomain(license, domain, false, author),
      'unbind --block': () => unbindDomain(license, domain, true, author),
      block: () => blockDomain(license, domain, author),
      unblock: () => unblockDomain(license, domain, author),
    }[does]();
    if ('refused' in plan) return false;
    await transact((run) => oneAfterAnother(plan.jobs, run));
    return true;
  };

  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const terms = { kind: 'paid', plan: 'free', environment: 'live', sitesOverride: SITES } as const;
      const facts = { modulesAllowed: [], modulesDenied: [], note: null, expiresAt: null, domains: [] };
      const issued = { ...newLicenseKey('live').stored, createdAt: 1, issuedBy: author };
      const id = await jobs.issueLicense({ ...terms, ...facts, ...issued });
      const [bound, blocked] = [new Set<string>(), new Set<string>()];
      for (const [does, domain] of taken) {
        const mayBind = !blocked.has(domain) && (bound.has(domain) || bound.size < SITES);
        const mayUnbind = bound.has(domain);
        const may = { claim: mayBind, bind: mayBind, unbind: mayUnbind, 'unbind --block': mayUnbind };
        const isAllowed = { ...may, block: true, unblock: blocked.has(domain) }[does];
        expect([does, await perform(does, id, domain)]).toEqual([does, isAllowed]);
        if (isAllowed) {
          if (does === 'unblock') blocked.delete(domain);
          else if (does.endsWith('block')) blocked.add(domain);
          if (does === 'claim' || does === 'bind') bound.add(domain);
          else if (does !== 'unblock') bound.delete(domain);
        }
        const license = await find(id);
        expect([license.domains.toSorted(), license.blockedDomains]).toEqual([
          [...bound].sort(),
          [...blocked].sort(),
        ]);
      }
    }),
  );
  await disconnect(db);
});
