import type { ActWords } from '../../src/acts/act.ts';
import { acknowledge, unacknowledge } from '../../src/acts/alerts/acts.ts';
import { RULINGS } from '../../src/acts/feed/acts.ts';
import type { Field } from '../../src/acts/field.ts';
import { LICENSE_ACTS } from '../../src/acts/licenses/acts.ts';
import { extend, extendBy } from '../../src/acts/licenses/terms.ts';
import { add as addTarget, TARGET_ACTS } from '../../src/acts/notifications/acts.ts';
import { add, changeRole, disable, enable, link, resetSecond } from '../../src/acts/operators/acts.ts';
import { retry } from '../../src/acts/payments/acts.ts';
import { create, revoke } from '../../src/acts/tokens/acts.ts';
import type { Admin } from './admin.ts';
import { addAlert, addSite } from './alerts.ts';
import type { Browser } from './console.ts';
import { type RunningService, run } from './service.ts';
import { publish, rows } from './store.ts';

// Every act, its targets, and how each way sends it.

export const WAYS = ['command', 'api', 'form'] as const;
export type Way = (typeof WAYS)[number];

/** The target of an act, as each way names it. */
interface Target {
  /** In the audit log. */
  readonly subject: string | null;
  /** In its tables. */
  readonly key: string | number;
  readonly words: readonly string[];
  readonly path?: string;
  readonly body?: object;
  readonly page: string;
  /** Opens the form of an act, where its page shows one at a time. */
  readonly opening?: (verb: string) => string;
  readonly form?: Readonly<Record<string, string>>;
}

interface Subject {
  readonly command: string;
  readonly acts: readonly ActWords[];
  /** Creates a target for an act. */
  prepare(service: RunningService, verb: string): Promise<Target>;
  /** A target that does not exist. */
  readonly nothing: Target;
  /** The tables with rows about a target, each with the column that names it. */
  readonly tables: readonly (readonly [table: string, column: string])[];
}

/** Columns that differ between any two targets. */
const DIFFERING =
  /^(?:id|name|.*_id|subject|fingerprint|.*_hash|key_prefix|.*_last4|acknowledged_by|secret|previous_secret)$/;
const MINUTE_MS = 60_000;

/** Everything stored about a target, without what differs between two of them. Times of the act are in minutes from now. */
export const storedOf = (service: RunningService, { tables }: Subject, { key }: Target) =>
  tables.map(([table, column]) => {
    const found = rows(service, `select * from ${table} where ${column} = ? order by 1, 2`, key);
    const plain = found.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !DIFFERING.test(name))),
    );
    const text = JSON.stringify(plain).replaceAll(/\b\d{13}\b/g, (digits) =>
      Number(digits) % MINUTE_MS === 0
        ? digits
        : `"${Math.round((Number(digits) - Date.now()) / MINUTE_MS)} min"`,
    );
    return [table, JSON.parse(text)];
  });

/** Values for acts without an example in the contract. */
const VALUES = new Map<ActWords, Readonly<Record<string, unknown>>>([
  [extend, { expires_at: '2031-01-01T00:00:00Z' }],
  [extendBy, { days: '30' }],
  [changeRole, { role: 'operator' }],
]);

export const valuesOf = (act: ActWords): [string, unknown][] =>
  Object.entries(VALUES.get(act) ?? act.api?.example ?? {}).filter(([name]) => name in act.fields);

const WRONG = {
  choice: ['<script>'],
  flag: [],
  number: ['many', '-1'],
  hours: ['x'],
  line: ['two\nlines', '\x1b[2J'],
  email: ['nobody'],
  moment: ['next year', '2020-01-01'],
  domain: ['a..b', 'x'.repeat(300), ''],
  domains: ['a..b'],
  modules: ['No Module', 'no_such_module'],
  choices: ['<script>', 'alert.open'],
  lines: ['\x1b[2J', 'x'.repeat(201)],
  licenses: ['lic_x', '<script>'],
  minutes: ['soon'],
  certificates: ['no certificate'],
};

/** Values that a field refuses. */
export const wrongOf = (field: Field): readonly string[] => {
  const isText = field.kind === 'line' || field.kind === 'certificates';
  const isList = field.kind === 'lines' || field.kind === 'licenses';
  const tooMuch =
    'max' in field && !isList ? [isText ? 'x'.repeat(field.max + 1) : String(field.max + 1)] : [];
  return [...WRONG[field.kind], ...tooMuch];
};

let made = 0;
const newName = () => `shop-${made++}`;

const ofLicense = (id: string): Target => ({
  subject: id,
  key: Number(id.slice('lic_'.length)),
  words: [id],
  path: `/licenses/${id}`,
  page: `/console/licenses/${id}`,
  opening: (verb) => `?act=${verb}`,
});

const licenses: Subject = {
  command: 'license',
  acts: LICENSE_ACTS,
  async prepare(service, verb) {
    const { license_id: id } = await service.issue(
      ...['--plan', 'pro', '--expires', '2030-01-01', '--customer', 'Ann'],
    );
    const domain = ['--domain', 'shop.example.com'];
    if (verb === 'resume') await service.command('license', 'suspend', id, '--hold', 'dispute');
    if (['unbind', 'verify-domain'].includes(verb)) await service.command('license', 'bind', id, ...domain);
    if (verb === 'unblock') await service.command('license', 'block', id, ...domain);
    return ofLicense(id);
  },
  nothing: ofLicense('lic_9999'),
  tables: [
    ['licenses', 'id'],
    ['license_domains', 'license_id'],
    ['blocked_domains', 'license_id'],
    ['previous_keys', 'license_id'],
    ['domain_controls', 'license_id'],
  ],
};

function ofAlert(license: string, seen?: string): Target {
  const [domain, subject] = ['shop.example.com', 'malware'];
  return {
    subject: license,
    key: Number(license.slice('lic_'.length)),
    words: [license, domain, subject],
    path: '/alerts',
    body: { license_id: license, domain, subject },
    page: '/console/alerts',
    form: { license, domain, subject, ...(seen === undefined ? {} : { seen }) },
  };
}

const alerts: Subject = {
  command: 'alert',
  acts: [acknowledge, unacknowledge],
  async prepare(service, verb) {
    const { license_id: name } = await service.issue('--plan', 'pro');
    const licenseId = Number(name.slice('lic_'.length));
    const siteId = addSite(service, { licenseId, domain: 'shop.example.com' });
    const [criticalAt, acknowledgedAt] = [Date.now(), verb === 'unacknowledge' ? 1 : null];
    addAlert(service, { licenseId, siteId, subject: 'malware', criticalAt, acknowledgedAt });
    return ofAlert(name, `${criticalAt}..${acknowledgedAt ?? ''}`);
  },
  nothing: ofAlert('lic_9999'),
  tables: [['alerts', 'license_id']],
};

export const ofThreat = (fingerprint: string): Target => ({
  subject: fingerprint,
  key: fingerprint,
  words: [fingerprint],
  path: '/feed',
  body: { fingerprint },
  page: '/console/feed',
  form: { fingerprint },
});

const threats: Subject = {
  command: 'feed',
  acts: RULINGS,
  async prepare(service, verb) {
    const fingerprint = `${String(made++).padStart(42, 'F')}A`;
    if (verb === 'withdraw') publish(service, fingerprint);
    if (verb === 'restore') await service.command('feed', 'allow', fingerprint);
    return ofThreat(fingerprint);
  },
  nothing: ofThreat('nothing'),
  tables: [['feed_rulings', 'fingerprint']],
};

const ofPayment = (subject_id: string): Target => ({
  subject: null,
  key: subject_id,
  words: ['subscription', subject_id],
  path: '/payments',
  body: { kind: 'subscription', subject_id },
  page: '/console/payments',
  form: { kind: 'subscription', subject_id },
});

const payments: Subject = {
  command: 'payments',
  acts: [{ ...retry, fields: {} }],
  async prepare(service) {
    const id = `sub_${made++}`;
    rows(
      service,
      "insert into payment_events values (?, 'x', 'subscription', ?, 1, null, 7, ?)",
      ...[`evt_${id}`, id, Date.now() + 60_000],
    );
    return ofPayment(id);
  },
  nothing: ofPayment('sub_none'),
  tables: [['payment_events', 'subject_id']],
};

const ofOperator = (name: string): Target => ({
  subject: `operator:${name}`,
  key: name,
  words: [name],
  page: '/console/operators',
  form: { name },
});

const operators: Subject = {
  command: 'operator',
  acts: [add, link, changeRole, disable, enable, resetSecond],
  async prepare(service, verb) {
    const name = newName();
    if (verb !== 'add') await service.command('operator', 'add', name);
    if (verb === 'enable') await service.command('operator', 'disable', name);
    if (verb === 'reset-2fa')
      rows(service, "update operators set totp_secret = 'x', totp_confirmed_at = 1 where name = ?", name);
    return { ...ofOperator(name), form: { name, ...(verb === 'add' ? { role: 'viewer' } : {}) } };
  },
  nothing: ofOperator('no-body'),
  tables: [['operators', 'name']],
};

const ofToken = (name: string): Target => ({
  subject: `token:${name}`,
  key: name,
  words: [name],
  page: '/console/tokens',
  form: { name },
});

const tokens: Subject = {
  command: 'token',
  acts: [create, revoke],
  async prepare(service, verb) {
    const name = newName();
    const token = ofToken(name);
    if (verb === 'create')
      return {
        ...token,
        words: [name, '--scope', 'status:read', '--expires', '30d'],
        form: { name, 'status:read': '1', days: '30' },
      };
    await service.command('token', 'create', name, '--scope', 'status:read');
    return token;
  },
  nothing: ofToken('no-token'),
  tables: [['admin_tokens', 'name']],
};

const ofTarget = (name: string): Target => ({
  subject: `target:${name}`,
  key: name,
  words: [name],
  path: `/notifications/${name}`,
  page: '/console/notifications',
  form: { target: name },
});

const targets: Subject = {
  command: 'notify',
  acts: [addTarget, ...TARGET_ACTS],
  async prepare(service, verb) {
    const name = newName();
    const address = 'https://hooks.example.com/path';
    const target = ofTarget(name);
    if (verb === 'add') {
      const named = { name, address: 'syslog+tls://siem.example.com' };
      const words = [named.name, named.address];
      return { ...target, words, path: '/notifications', body: named, form: named };
    }
    await service.command('notify', 'add', name, address);
    if (verb === 'resume') await service.command('notify', 'pause', name);
    return target;
  },
  nothing: ofTarget('no-target'),
  tables: [['targets', 'name']],
};

export const SUBJECTS = { licenses, alerts, threats, payments, operators, tokens, targets };

/** Whether an act has this way. */
export const HAS: Readonly<Record<Way, (act: ActWords) => boolean>> = {
  command: ({ command }) => command !== undefined,
  api: ({ api }) => api !== undefined,
  form: ({ forms, button }) => forms !== undefined || button !== undefined,
};

interface Asked {
  readonly act: ActWords;
  readonly command: string;
  readonly target: Target;
  readonly values: readonly (readonly [name: string, value: unknown])[];
  readonly reason: string;
  /** Whether the confirmation of its form is ticked. */
  readonly isSure?: boolean;
}

interface Answer {
  readonly isDone: boolean;
  /** How it was refused; undefined = not refused, or not by a caller's mistake. */
  readonly refusal: 'usage' | 'refused' | undefined;
  readonly text: string;
  /** The page that a form leads to. */
  readonly next?: string | undefined;
}

/** How each way refuses: wrong usage, or an impossible act. */
const REFUSALS = { 2: 'usage', 1: 'refused', 400: 'usage', 404: 'refused', 409: 'refused' } as const;
const refusalOf = (code: number) => REFUSALS[code as keyof typeof REFUSALS];

/** The callers. */
export interface Asking {
  readonly service: RunningService;
  readonly admin: Admin;
  readonly owner: Browser;
}

export const ASK: Readonly<Record<Way, (by: Asking, asked: Asked) => Promise<Answer>>> = {
  async command({ service }, { act, command, target, values, reason }) {
    const options = values.flatMap(([name, value]) => {
      const { kind, flags } = act.fields[name] ?? {};
      if (flags === undefined || value === false) return [];
      const [option = ''] = flags.split(' ');
      if (kind === 'flag') return [option];
      const unit = UNITS[kind as keyof typeof UNITS] ?? '';
      return [value].flat().flatMap((each) => [option, `${each}${unit}`]);
    });
    const words = [command, act.verb, ...options, '--reason', reason, ...(act.isFinal ? ['--yes'] : [])];
    const names = [
      '--',
      ...target.words.filter((_, at) => at < ARGUMENTS[command as keyof typeof ARGUMENTS]),
    ];
    const more = target.words.slice(names.length - 1);
    const { exitCode, stdout, stderr } = await run('binary', service.env, ...words, ...more, ...names);
    return {
      isDone: exitCode === 0 || (act.verb === 'test' && exitCode === NOT_DELIVERED),
      refusal: refusalOf(exitCode),
      text: stdout + stderr,
    };
  },
  async api({ admin }, { act, target, values, reason }) {
    const body = { ...target.body, ...Object.fromEntries(values), reason };
    const { status, text } = await admin(`${target.path}/${act.verb}`, { body });
    return { isDone: status === 200, refusal: refusalOf(status), text };
  },
  async form({ owner }, { act, target, values, reason, isSure = true }) {
    const typed = values.flatMap(([name, value]) =>
      act.fields[name]?.kind === 'choices'
        ? [value].flat().map((word) => [`${name}:${word}`, '1'])
        : [[name, value === true ? '1' : String(value)]],
    );
    const sure = isSure ? { sure: '1' } : {};
    const form = { ...target.form, ...Object.fromEntries(typed), ...sure, reason };
    const { status, text, headers } = await owner.post(`${target.page}/${act.verb}`, form);
    const next = headers.get('location') ?? undefined;
    return { isDone: status === 303, refusal: refusalOf(status), text, next };
  },
};

const UNITS = { hours: 'h', minutes: 'm' };
/** The exit code of a test whose receiver cannot be reached. */
const NOT_DELIVERED = 3;
const ARGUMENTS = { notify: 2, license: 1, alert: 3, feed: 1, payments: 2, operator: 1, token: 1 } as const;
