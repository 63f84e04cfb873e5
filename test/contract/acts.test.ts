import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ActWords } from '../../src/acts/act.ts';
import { ASK, HAS, SUBJECTS, storedOf, valuesOf, WAYS, type Way, wrongOf } from '../support/acts.ts';
import { type Admin, adminOf, adminOperations, tokenOf, whatIsKept } from '../support/admin.ts';
import { type Browser, operatorOf } from '../support/console.ts';
import { type RunningService, start } from '../support/service.ts';
import { rows } from '../support/store.ts';

// Every act, in each way that its definition offers.

let service: RunningService;
let admin: Admin;
let owner: Browser;
beforeAll(async () => {
  // Its own process: refusals are compared with everything stored.
  service = await start('binary', { SERVICE_ADMIN_RATE_PER_MINUTE: '100000' });
  admin = adminOf(service, await tokenOf(service));
  owner = await operatorOf(service, 'olivia');
});
afterAll(() => service.end());

/** Wrong values that only the act itself refuses. */
const IS_READ = ['2020-01-01', 'No Module', 'no_such_module', '721'];
/** Acts that do something each time. */
const IS_DONE_AGAIN = ['rotate', 'extend', 'bind', 'link', 'retry', 'test', 'replay'];

const by = () => ({ service, admin, owner });

const ACTORS: Readonly<Record<Way, RegExp>> = {
  command: /^cli:/,
  api: /^token:shop$/,
  form: /^operator:olivia$/,
};

/** The last entry of the audit log, without the parts that differ between any two entries. */
function lastEntry(subject: string | null): Record<string, unknown> {
  const {
    id,
    at,
    request_id,
    actor,
    subject: named,
    ...entry
  } = rows(service, 'select * from audit_log order by id desc limit 1')[0] as Record<string, unknown>;
  expect(named).toBe(subject);
  const text = JSON.stringify(entry);
  const plain = text.replaceAll(/\d{12,}/g, 'MOMENT').replaceAll(/sub_\d+|shop-\d+/g, 'NAME');
  return { actor, ...JSON.parse(plain) };
}

describe.each(Object.entries(SUBJECTS))('of %s', (_, subject) => {
  const { command, acts, prepare, nothing } = subject;
  const all = acts.map((act) => [act.verb, act] as const);
  const byWay = all.flatMap(([verb, act]) =>
    WAYS.filter((way) => HAS[way](act)).map((way) => [verb, way, act] as const),
  );

  test.each(all)(
    '%s has the same effect and audit entry in all its ways, with actor and reason',
    async (verb, act) => {
      const done: unknown[] = [];
      for (const way of WAYS.filter((each) => HAS[each](act))) {
        const target = await prepare(service, verb);
        const reason = `to ${verb}`;
        const answer = await ASK[way](by(), { act, command, target, values: valuesOf(act), reason });
        expect([way, answer.isDone, answer.isDone || answer.text]).toEqual([way, true, true]);
        const { actor, ...entry } = lastEntry(target.subject);
        expect([way, actor, entry.reason]).toEqual([way, expect.stringMatching(ACTORS[way]), reason]);
        done.push([entry, storedOf(service, subject, target)]);
      }
      for (const each of done) expect(each).toEqual(done[0] as object);
    },
  );

  test.each(byWay.filter(([verb]) => !IS_DONE_AGAIN.includes(verb)))(
    '%s by %s, repeated, is refused, or reports that nothing changed',
    async (verb, way, act) => {
      const target = await prepare(service, verb);
      const asked = { act, command, target, values: valuesOf(act), reason: 'x' };
      await ASK[way](by(), asked);
      const before = whatIsKept(service);
      const { refusal, text, next } = await ASK[way](by(), asked);
      const shown = next === undefined ? text : (await owner.get(next)).text;
      if (refusal !== 'refused') expect(shown).toMatch(/othing changed|No changes/);
      expect(whatIsKept(service)).toBe(before);
    },
  );

  test.each(byWay)(
    '%s by %s is refused for a wrong value of each of its fields, and nothing is stored',
    async (verb, way, act) => {
      const target = await prepare(service, verb);
      const before = whatIsKept(service);
      for (const [name, field] of Object.entries(act.fields))
        for (const value of way === 'command' && field.flags === undefined ? [] : wrongOf(field)) {
          const values = [...valuesOf(act).filter(([each]) => each !== name), [name, value] as const];
          const asked = { act, command, target, values, reason: 'x' };
          const { refusal, text } = await ASK[way](by(), asked);
          const isUsage = way !== 'form' && !IS_READ.includes(value);
          const expected = isUsage ? 'usage' : expect.stringMatching(/^(?:usage|refused)$/);
          expect([name, value, refusal]).toEqual([name, value, expected]);
          if (way === 'form') expect(text).toContain('role="alert"');
        }
      expect(whatIsKept(service)).toBe(before);
    },
  );

  test.each(byWay)(
    '%s by %s is refused for a reason of two lines or over 200 characters, and nothing is stored',
    async (verb, way, act) => {
      const target = await prepare(service, verb);
      const before = whatIsKept(service);
      for (const reason of ['two\nlines', 'x'.repeat(201)]) {
        const asked = { act, command, target, values: valuesOf(act), reason };
        const { refusal, text } = await ASK[way](by(), asked);
        expect(refusal).toBe('usage');
        if (way === 'form') expect(text).toContain('role="alert"');
      }
      expect(whatIsKept(service)).toBe(before);
    },
  );

  test.each(byWay.filter(([verb]) => !['add', 'create', 'allow'].includes(verb)))(
    '%s by %s is refused for a missing target, and nothing is stored',
    async (_, way, act) => {
      const before = whatIsKept(service);
      const asked = { act, command, target: nothing, values: valuesOf(act), reason: 'x' };
      // The contract allows no malformed fingerprint in a body.
      const expected = command === 'feed' && way === 'api' ? 'usage' : 'refused';
      expect((await ASK[way](by(), asked)).refusal).toBe(expected);
      expect(whatIsKept(service)).toBe(before);
    },
  );

  const needed = byWay.flatMap(([verb, way, act]) =>
    Object.entries(act.fields)
      .filter(([, { isOptional, fallback }]) => !isOptional && fallback === undefined)
      .map(([name]) => [verb, way, name, act] as const),
  );
  test.each(needed.length > 0 ? needed : [])(
    '%s by %s is refused without %s, which it needs, and nothing is stored',
    async (verb, way, name, act) => {
      const target = await prepare(service, verb);
      const before = whatIsKept(service);
      const values = valuesOf(act).filter(([each]) => each !== name);
      const { refusal } = await ASK[way](by(), { act, command, target, values, reason: 'x' });
      expect(refusal).toBe(way === 'form' && act.refusedAs === 'ACT_REFUSED' ? 'refused' : 'usage');
      expect(whatIsKept(service)).toBe(before);
    },
  );

  test.each(all.filter(([, act]) => act.isReasonRequired))(
    'the form of %s requires a reason, and marks the field as required',
    async (verb, act) => {
      const target = await prepare(service, verb);
      const before = whatIsKept(service);
      for (const reason of ['', ' ', '\u200b']) {
        const asked = { act, command, target, values: valuesOf(act), reason };
        expect((await ASK.form(by(), asked)).refusal).toBe('usage');
      }
      expect(whatIsKept(service)).toBe(before);
      const { text } = await owner.get(target.page + (target.opening?.(verb) ?? ''));
      const [, form = ''] = text.split(` action="${target.page}/${verb}"`);
      expect(form.slice(0, form.indexOf('</form>'))).toMatch(/name="reason"[^>]* required/);
    },
  );

  test.each(byWay.filter(([, way]) => way === 'api'))(
    'ten requests of one key at once to %s by %s are one act',
    async (verb, _, act) => {
      const { path, body } = await prepare(service, verb);
      const entries = () => rows(service, "select * from audit_log where actor = 'token:shop'").length;
      const before = entries();
      const asked = { once: verb, body: { ...body, ...Object.fromEntries(valuesOf(act)) } };
      const replies = await Promise.all(Array.from({ length: 10 }, () => admin(`${path}/${verb}`, asked)));
      const replayed = replies.map(({ json }) => json.error?.code ?? json.data.replayed);
      expect(replayed.sort()).toEqual([false, ...Array(9).fill(true)]);
      expect(entries() - before).toBe(1);
    },
  );

  const sure = all.filter(([, { forms }]) => forms?.some((form) => form.sure !== undefined));
  test.each(sure)('the form of %s, which is final, is refused without a tick', async (verb, act) => {
    const target = await prepare(service, verb);
    const before = whatIsKept(service);
    const asked = { act, command, target, values: [], reason: 'x', isSure: false };
    expect((await ASK.form(by(), asked)).refusal).toBe('usage');
    expect(whatIsKept(service)).toBe(before);
    const opened = await owner.get(target.page + (target.opening?.(verb) ?? ''));
    expect(opened.text).toContain(sureWords(act));
  });
});

const sureWords = ({ forms = [] }: ActWords): string => forms.map((form) => form.sure ?? '').join('');

test('these are all acts of the admin API, except those with their own bodies or sequence', () => {
  const others = ['findLicenses', 'explainKey', 'importLicenses', 'rebuildFeed', 'issueLicense'];
  const known = Object.values(SUBJECTS).flatMap(({ acts }) => acts.map(({ api }) => api?.operationId));
  const posted = adminOperations.filter(({ method }) => method === 'POST');
  const ids = posted.map(({ operation }) => (operation as { operationId?: string }).operationId);
  expect(ids.filter((id) => !known.includes(id) && !others.includes(id ?? ''))).toEqual([]);
});
