import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { METADATA_BYTES_MAX, type SiteEvent } from '../../../src/domain/event/events.ts';
import { CREDENTIAL_TERMS, mayNameCredential } from '../../../src/domain/privacy/credential-keys.ts';
import { CREDENTIAL_RULES } from '../../../src/domain/privacy/credentials.ts';
import { ADDRESS_RULES } from '../../../src/domain/privacy/personal-addresses.ts';
import { Redaction } from '../../../src/domain/privacy/redaction.ts';
import { RULES } from '../../../src/domain/privacy/rule-table.ts';
import { redactTelemetry } from '../../../src/domain/privacy/telemetry-redaction.ts';
import { CREDENTIALS, ORDINARY } from '../../support/credentials.ts';
import { ADVERSARIAL } from './adversarial.ts';
import { FORBIDDEN_TEXTS } from './forbidden.ts';
import { EXEC, stepsOf } from './steps.ts';

const eventOf = (message: string | null, metadata: object | null): SiteEvent => ({
  type: 'x',
  severity: 'info',
  message,
  occurredAt: 0,
  eventId: null,
  metadata: metadata && JSON.stringify(metadata),
});

/** The stored part of one event. */
async function kept(
  { message = null, metadata = null }: { message?: string | null; metadata?: object | null },
  keepsAddresses = true,
) {
  const sent = { pluginVersion: null, stats: null, events: [eventOf(message, metadata)] };
  const { events, valuesRedacted } = await redactTelemetry(sent, keepsAddresses);
  const [event] = events;
  return { message: event?.message, metadata: event?.metadata, valuesRedacted };
}

describe('ordinary telemetry is unchanged', () => {
  test.each(ORDINARY.texts)('%p', async (text) => {
    const metadata = { text, list: [text], [text]: true };
    const sent = { pluginVersion: text, stats: { text, [text]: true }, events: [eventOf(text, metadata)] };
    expect(await redactTelemetry(sent, true)).toEqual({ ...sent, valuesRedacted: 0 });
  });

  test.each(ORDINARY.metadata)('%p', async (metadata) => {
    expect(await kept({ metadata })).toEqual({
      message: null,
      metadata: JSON.stringify(metadata),
      valuesRedacted: 0,
    });
  });

  test('and so are e-mail and IP addresses, in any words', async () => {
    const addresses = FORBIDDEN_TEXTS.filter(({ rule }) =>
      ['value.email', 'value.ipv4', 'value.ipv6'].includes(rule),
    );
    for (const { text } of addresses) {
      await fc.assert(
        fc.asyncProperty(text, async (address) => {
          const message = `Login by ${address} failed`;
          expect((await kept({ message })).message).toBe(message);
        }),
      );
    }
  });
});

describe('a credential is not stored', () => {
  test.each(CREDENTIALS.texts)('%s: %p', async (rule, text, secret) => {
    const sent = {
      pluginVersion: text.slice(0, 64),
      stats: { before: text, after: 1 },
      events: [eventOf(`before ${text}`, { list: [{ deep: text }], same: 'before' })],
    };
    const { valuesRedacted, ...left } = await redactTelemetry(sent, true);
    expect(JSON.stringify({ ...left, pluginVersion: null })).not.toContain(
      JSON.stringify(secret).slice(1, -1),
    );
    expect(valuesRedacted).toBeWithin(3, 5);
    expect(left.events[0]?.message).toContain(`[redacted: ${rule}]`);
    expect(left.events[0]?.metadata).toContain('"same":"before"');
    expect(left.stats?.after).toBe(1);
  });

  test.each(CREDENTIALS.metadata)('%p', async (metadata, secret) => {
    const { metadata: left, valuesRedacted } = await kept({ metadata: { ...metadata, beside: 'stays' } });
    expect(left).not.toContain(secret);
    expect(left).toContain('"beside":"stays"');
    expect(valuesRedacted).toBe(1);
  });

  const credentialIds = new Set(CREDENTIAL_RULES.map(({ id }) => id));
  const forbidden = FORBIDDEN_TEXTS.filter(
    ({ rule }) => credentialIds.has(rule) && !['value.pem', 'value.ssh-key'].includes(rule),
  );
  test.each(forbidden.map(({ rule, text }) => [rule, text] as const))(
    'any match of %s, in a sentence too',
    async (_rule, text) => {
      await fc.assert(
        fc.asyncProperty(text, async (credential) => {
          const { message, valuesRedacted } = await kept({ message: `Found ${credential}\nin a file` });
          expect(valuesRedacted).toBe(1);
          expect(message).not.toContain(credential);
          expect(message).toStartWith('Found ');
          expect(message).toEndWith('\nin a file');
        }),
        { numRuns: 20 },
      );
    },
  );

  test('every rule has its row in the table of rules, and every term of a key is searched', () => {
    const known = new Set(RULES.map(({ id }) => id));
    expect([...CREDENTIAL_RULES, ...ADDRESS_RULES].filter(({ id }) => !known.has(id))).toEqual([]);
    expect(CREDENTIAL_TERMS.filter((term) => !mayNameCredential(term.replaceAll(' ', '')))).toEqual([]);
    expect(credentialIds.size).toBeGreaterThan(70);
  });
});

describe('without e-mail and IP addresses', () => {
  test.each([
    ['Login by ann.lee@example.com failed', 'Login by [redacted: value.email] failed'],
    [
      'from=ann@example.com to <bob@[192.0.2.1]>',
      'from=[redacted: value.email] to <[redacted: value.email]>',
    ],
    [
      'blocked 192.0.2.7:443 and 2001:db8::7, twice',
      'blocked [redacted: value.ipv4]:443 and [redacted: value.ipv6], twice',
    ],
    ['at ip-192-0-2-7.example.com', 'at ip-[redacted: value.ipv4].example.com'],
    ['http://3221225991/x', 'http[redacted: value.ipv4]/x'],
    ['ann%40example.com', '[redacted: value.email]'],
    ['ann [at] 12:30:05 on version 1.2.3', 'ann [at] 12:30:05 on version 1.2.3'],
  ])('%p is stored as %p', async (message, expected) => {
    expect((await kept({ message }, false)).message).toBe(expected);
  });

  test('a version of four numbers stays a version', async () => {
    const sent = { pluginVersion: '2.4.1.10', stats: null, events: [] };
    expect((await redactTelemetry(sent, false)).pluginVersion).toBe('2.4.1.10');
  });
});

describe('stored text stays within its limits', () => {
  const secrets = 'pw=a1 '.repeat(166);
  const repeated = fc.constantFrom(
    'pw=a1 ',
    'password=x ',
    'ghp_',
    'token: a1b2 ',
    '"',
    '{',
    'ü',
    '😀',
    `https://u:p@h/ `,
  );
  const wild = fc
    .array(repeated, { maxLength: 170 })
    .map((parts) => [...parts.join('')].slice(0, 1_000).join(''));

  test('a text that would exceed its limit is replaced as a whole', async () => {
    expect((await kept({ message: secrets })).message).toBe('[redacted: value.named-secret]');
    expect((await kept({ metadata: { a: secrets.repeat(4) } })).metadata).toBe(
      '{"a":"[redacted: value.named-secret]"}',
    );
    const { metadata } = await kept({ metadata: { list: Array(400).fill('pw=a1') } });
    expect(metadata).toBe('{"redacted":"[redacted: metadata.too-long]"}');
  });

  test('messages, stats and their names, versions, metadata', async () => {
    await fc.assert(
      fc.asyncProperty(wild, fc.array(wild, { maxLength: 3 }), async (text, list) => {
        const metadata = { list, [text]: text };
        if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX) return;
        const name = text.slice(0, 128);
        const sent = {
          pluginVersion: text.slice(0, 64),
          stats: { [name]: text },
          events: [eventOf(text, metadata)],
        };
        const { pluginVersion, stats, events } = await redactTelemetry(sent, true);
        expect([...(pluginVersion ?? '')].length).toBeLessThanOrEqual(64);
        const [[keptName, keptText] = ['', '']] = Object.entries(stats ?? {});
        expect([...keptName].length).toBeLessThanOrEqual(128);
        expect([...String(keptText)].length).toBeLessThanOrEqual(1_000);
        expect([...(events[0]?.message ?? '')].length).toBeLessThanOrEqual(1_000);
        expect(Buffer.byteLength(events[0]?.metadata ?? '')).toBeLessThanOrEqual(METADATA_BYTES_MAX);
      }),
    );
  });

  test('names that contained different credentials stay different fields', async () => {
    const { metadata } = await kept({
      metadata: { 'pw=a1': 1, 'pw=b2': 2, 'pw=[redacted: value.named-secret]': true },
    });
    expect(Object.values(JSON.parse(metadata ?? ''))).toEqual([1, 2, true]);
  });

  test('a field named __proto__ stays a field', async () => {
    const { metadata } = await kept({ metadata: JSON.parse('{"__proto__":{"password":"hunter2"},"b":1}') });
    expect(metadata).toBe('{"__proto__":{"password":"[redacted: key.credential]"},"b":1}');
  });
});

describe('for text that is hard to search', () => {
  const rules = [...CREDENTIAL_RULES, ...ADDRESS_RULES];
  const everyRule = 'password= ghp_ eyJ @ :// jdbc: define( bearer PRIVATE KEY ';
  const redact = (body: unknown) => () => {
    const fields = body as object;
    new Redaction(rules, everyRule + JSON.stringify(fields)).fields(fields, METADATA_BYTES_MAX);
  };
  const named = [
    'password=a ',
    'token: ',
    '"token": "',
    'password="\\"',
    'a://a@',
    'x://',
    'jdbc:ab:',
    'define(',
    'PRIVATE KEY',
    'bearer a.A.',
    '--pw ',
  ];

  test.each([
    ...ADVERSARIAL,
    ...named.map((unit) => [unit, (size: number) => ({ band: unit.repeat(size / unit.length) })] as const),
  ])('twice the text takes twice the steps: %s', (_name, bodyOf) => {
    const half = stepsOf(redact(bodyOf(4_096)), [EXEC]);
    const whole = stepsOf(redact(bodyOf(8_192)), [EXEC]);
    expect(whole).toBeLessThan(half * 2.2 + 1_000);
  });

  test('others get turns meanwhile, and ordinary requests wait for none', async () => {
    const turnsDuring = async (events: SiteEvent[]) => {
      let turns = 0;
      let over = false;
      const count = () => {
        turns += 1;
        if (!over) setImmediate(count);
      };
      setImmediate(count);
      await redactTelemetry({ pluginVersion: null, stats: null, events }, true);
      over = true;
      return turns;
    };
    const large = eventOf('password '.repeat(111), { a: 'token: '.repeat(400) });
    expect(await turnsDuring(Array(60).fill(large))).toBeGreaterThan(25);
    expect(await turnsDuring(Array(20).fill(eventOf('SQL injection blocked', { attempts: 3 })))).toBe(0);
  });
});
