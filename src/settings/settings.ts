import { type TSchema, Type } from 'typebox';
import { LOG_LEVELS } from '../lib/log.ts';
import { refuseDoubles } from '../lib/refuse-doubles.ts';
import { PLAIN_VERSION } from '../lib/version-order.ts';

/** One setting: what it is called, what it may be and what it does. */
export interface Setting<Schema extends TSchema = TSchema> {
  readonly env: string;
  /** Of the parsed value. */
  readonly schema: Schema;
  readonly kind: 'text' | 'host' | 'origin' | 'integer' | 'flag' | 'list';
  /** What the value must be, in words for the operator. */
  readonly form: string;
  /** As it would stand in the environment; absent = not set. */
  readonly fallback?: string;
  /** A secret is masked wherever settings are shown, and may come from a file named by `<env>_FILE`. */
  readonly secret?: true;
  /** A secret that commands beside the server need as well. */
  readonly ofCommands?: true;
  readonly help: string;
}

const optionalText = (env: string, help: string, pattern?: string, form = 'some text') =>
  ({ env, help, form, kind: 'text', schema: Type.String(pattern ? { pattern } : { minLength: 1 }) }) as const;
const secret = (env: string, help: string, pattern?: string, form?: string) =>
  ({ ...optionalText(env, help, pattern, form), secret: true }) as const;
/** A name, or an address of which one of IPv6 stands in brackets, and perhaps a port. Names of keys hold it, in which "+" parts them. */
const HOST = '(\\[[0-9A-Fa-f:.]+\\]|[^\\s/\\\\?#@:\\[\\]+]+)(:[0-9]{1,5})?';
const ORIGIN_FORM = 'http:// or https:// and a host that has no plus sign, without a path';
const origin = (env: string, help: string) =>
  ({ ...optionalText(env, help, `^https?://${HOST}$`, ORIGIN_FORM), kind: 'origin' }) as const;
const text = (env: string, help: string, fallback: string) => ({ ...optionalText(env, help), fallback });
const host = (env: string, help: string, fallback: string) =>
  ({
    ...optionalText(env, help, '^(/.*[^/]|[^\\s/]+)$', 'a name, an address, or the path of a Unix socket'),
    kind: 'host',
    fallback,
  }) as const;
const socketMode = (env: string, ofSetting: string) =>
  ({
    ...optionalText(
      env,
      `Permissions of the Unix socket that ${ofSetting} names, in octal digits`,
      '^0?[0-7]{3}$',
      'three octal digits, such as 0660',
    ),
    fallback: '0660',
  }) as const;
const optionalInteger = (env: string, help: string, minimum: number, maximum: number) =>
  ({
    env,
    help,
    form: `a whole number from ${minimum} to ${maximum}`,
    kind: 'integer',
    schema: Type.Integer({ minimum, maximum }),
  }) as const;
const integer = (env: string, help: string, minimum: number, maximum: number, fallback: string) => ({
  ...optionalInteger(env, help, minimum, maximum),
  fallback,
});
const flag = (env: string, help: string, fallback: '0' | '1') =>
  ({ env, help, form: '0 or 1', kind: 'flag', schema: Type.Boolean(), fallback }) as const;
const list = (env: string, help: string, pattern: string, form: string, fallback = '') =>
  ({ env, help, form, kind: 'list', schema: Type.Array(Type.String({ pattern })), fallback }) as const;
const ranges = (env: string, help: string, fallback?: string) =>
  list(
    env,
    help,
    '^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$',
    'addresses or CIDR ranges, separated by commas',
    fallback,
  );

const DOMAIN_LABEL = '[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?';
const DAYS_MAX = 3650;
/** Less than the minute after which the listener ends a silent connection, which would leave no answer. */
const BODY_SECONDS_MAX = 50;
/** Half of what the units give a stop: the rest is for what is under way. */
const LEAVE_SECONDS_MAX = 15;
/** Of less than 176 bytes each: 35 MB, which is sent to every reader. */
const FEED_ENTRIES_MAX = 200_000;
const PER_MINUTE_MAX = 1_000_000_000;
const DAILY_BUDGET_MAX = 1_000_000_000_000;
const CONNECTIONS_MAX = 1_000_000;

const TRUST_GRADES = ['A', 'B', 'C', 'D'] as const;

/** Every setting of the service, by the name it has in {@link Config}. */
export const SETTINGS = {
  host: host(
    'SERVICE_HOST',
    'Address to listen on, or the path of a Unix socket for a proxy on this host',
    '127.0.0.1',
  ),
  port: integer('SERVICE_PORT', 'Port to listen on; 0 takes a free one', 0, 65_535, '8080'),
  socketMode: socketMode('SERVICE_SOCKET_MODE', 'SERVICE_HOST'),
  dataDir: text('SERVICE_DATA_DIR', 'Directory of the database, on a local disk', '/var/lib/redoubt'),
  databaseUrl: {
    ...secret(
      'SERVICE_DATABASE_URL',
      'PostgreSQL in place of the embedded database: postgres://user:password@host:5432/name',
      '^postgres(ql)?://',
      'an address that starts with postgres://',
    ),
    ofCommands: true,
  },
  databaseCa: optionalText(
    'SERVICE_DATABASE_CA',
    "Certificates that PostgreSQL's own is to be signed by, a PEM file, in place of the system's",
  ),
  limitsUrl: secret(
    'SERVICE_LIMITS_URL',
    'Valkey or Redis that counts the limits of all nodes in place of PostgreSQL: redis://user:password@host:6379/0, or rediss:// with TLS',
    '^(rediss?|unix)://',
    'an address that starts with redis://, rediss:// or unix://',
  ),
  limitsCa: optionalText(
    'SERVICE_LIMITS_CA',
    "Certificates that the limits server's own is to be signed by, a PEM file, in place of the system's; for rediss://",
  ),
  keysDir: optionalText(
    'SERVICE_KEYS_DIR',
    'Directory of the keys that all nodes on one PostgreSQL have: installation.key and signing/. Unset, the data directory',
  ),
  diskReserveMib: integer(
    'SERVICE_DISK_RESERVE_MIB',
    'Room on the disk that is kept for operators and retention, in MiB; as much again must be free for tenants. 0 keeps none',
    0,
    10_240,
    '16',
  ),
  baseUrl: origin('SERVICE_BASE_URL', 'Public address of this service, without a path'),
  portal: flag('SERVICE_PORTAL', '1 shows tenants their pages at /portal', '1'),
  signingKey: secret(
    'SERVICE_SIGNING_KEY',
    'Private key to sign credentials with, P-256 as a PKCS#8 PEM, in place of those that the service makes',
  ),
  trustedProxies: ranges(
    'SERVICE_TRUSTED_PROXIES',
    'Proxies whose X-Forwarded-For is believed: addresses or CIDR ranges, separated by commas',
  ),
  metricsAllow: ranges(
    'SERVICE_METRICS_ALLOW',
    'Who may read /metrics, without a proxy between: addresses or CIDR ranges, separated by commas',
    '127.0.0.0/8,::1',
  ),
  tlsCert: optionalText('SERVICE_TLS_CERT', 'Certificate chain, a PEM file; together with SERVICE_TLS_KEY'),
  tlsKey: optionalText('SERVICE_TLS_KEY', 'Private key of the certificate, a PEM file'),
  hstsSeconds: integer(
    'SERVICE_HSTS_SECONDS',
    'Over its own TLS: how long browsers shall insist on TLS for this host, on every port; 0 makes them forget it',
    0,
    63_072_000,
    '31536000',
  ),
  adminHost: host(
    'SERVICE_ADMIN_HOST',
    'Address on which the admin API listens, or the path of a Unix socket; any but loopback needs SERVICE_ADMIN_TLS_CERT',
    '127.0.0.1',
  ),
  adminPort: {
    ...integer(
      'SERVICE_ADMIN_PORT',
      'Port of the admin API; 0 takes a free one, off switches it off',
      0,
      65_535,
      '8081',
    ),
    form: 'a whole number from 0 to 65535, or off',
    schema: Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Literal('off')]),
  },
  adminSocketMode: socketMode('SERVICE_ADMIN_SOCKET_MODE', 'SERVICE_ADMIN_HOST'),
  adminAllow: ranges(
    'SERVICE_ADMIN_ALLOW',
    'Who may connect to the admin API: addresses or CIDR ranges, separated by commas',
    '127.0.0.0/8,::1',
  ),
  adminTrustedProxies: ranges(
    'SERVICE_ADMIN_TRUSTED_PROXIES',
    'Proxies of the admin API whose X-Forwarded headers are believed: addresses or CIDR ranges, separated by commas',
  ),
  adminUrl: origin(
    'SERVICE_ADMIN_URL',
    'Address of the console as its operators see it, without a path, where that is another one',
  ),
  adminTlsCert: optionalText(
    'SERVICE_ADMIN_TLS_CERT',
    'Certificate chain of the admin API, a PEM file; together with SERVICE_ADMIN_TLS_KEY',
  ),
  adminTlsKey: optionalText('SERVICE_ADMIN_TLS_KEY', 'Private key of that certificate, a PEM file'),
  adminRatePerMinute: integer(
    'SERVICE_ADMIN_RATE_PER_MINUTE',
    'Requests per token of the admin API and minute',
    1,
    PER_MINUTE_MAX,
    '300',
  ),
  admin2fa: flag('SERVICE_ADMIN_2FA', '1 lets nobody use the console without a second factor', '0'),
  logLevel: {
    ...text('SERVICE_LOG_LEVEL', 'Least severe log line: debug, info, warn or error', 'info'),
    form: `one of ${LOG_LEVELS.join(', ')}`,
    schema: Type.Union(LOG_LEVELS.map((level) => Type.Literal(level))),
  },
  threatFeedEnabled: flag('SERVICE_THREAT_FEED_ENABLED', '1 serves the threat feed', '0'),
  feedEpochSeconds: integer('SERVICE_FEED_EPOCH_SECONDS', 'How often the feed may change', 1, 86_400, '300'),
  feedMinCorroboration: integer(
    'SERVICE_FEED_MIN_CORROBORATION',
    'Distinct customers that must report a threat before it is in the feed',
    1,
    1_000,
    '3',
  ),
  feedWindowDays: integer('SERVICE_FEED_WINDOW_DAYS', 'How long a report counts', 1, DAYS_MAX, '14'),
  feedMinAgeHours: integer(
    'SERVICE_FEED_MIN_AGE_HOURS',
    'How long after its first telemetry a license starts to count for the feed; 0 counts all, also without telemetry',
    0,
    8_760,
    '24',
  ),
  feedMaxEntries: integer(
    'SERVICE_FEED_MAX_ENTRIES',
    'Threats in the feed at most: the most corroborated first, then those reported last',
    1,
    FEED_ENTRIES_MAX,
    '50000',
  ),
  rateKeyPerMinute: integer(
    'SERVICE_RATE_KEY_PER_MINUTE',
    'Requests per key and minute',
    1,
    PER_MINUTE_MAX,
    '100',
  ),
  rateIpPerMinute: optionalInteger(
    'SERVICE_RATE_IP_PER_MINUTE',
    'One value for every limit per IP address and minute, in place of their own',
    1,
    PER_MINUTE_MAX,
  ),
  connections: integer(
    'SERVICE_CONNECTIONS',
    'Connections that may be open, as far as the limit of open files allows it',
    1,
    CONNECTIONS_MAX,
    '10000',
  ),
  bodyTimeoutSeconds: integer(
    'SERVICE_BODY_TIMEOUT_SECONDS',
    'How long the body of a request may take to arrive',
    1,
    BODY_SECONDS_MAX,
    '15',
  ),
  leaveSeconds: integer(
    'SERVICE_LEAVE_SECONDS',
    'How long a node on PostgreSQL that was told to stop goes on serving: as long as balancers need to go elsewhere',
    0,
    LEAVE_SECONDS_MAX,
    '2',
  ),
  dailyCap: integer(
    'SERVICE_DAILY_CAP',
    'Accepted requests per license, capped route and UTC day',
    1,
    1_000_000_000,
    '500',
  ),
  dailyEvents: optionalInteger(
    'SERVICE_DAILY_EVENTS',
    "Events of telemetry stored per license and UTC day, in place of the plans' budgets; 0 = no limit",
    0,
    DAILY_BUDGET_MAX,
  ),
  dailyBytes: optionalInteger(
    'SERVICE_DAILY_BYTES',
    "Bytes of telemetry and signals stored per license and UTC day, in place of the plans' budgets; 0 = no limit",
    0,
    DAILY_BUDGET_MAX,
  ),
  retentionDays: integer(
    'SERVICE_RETENTION_DAYS',
    'How long events and the components of sites are kept',
    1,
    DAYS_MAX,
    '90',
  ),
  mirrorStaleHours: integer(
    'SERVICE_MIRROR_STALE_HOURS',
    'After how many hours without news a source of vulnerabilities counts as stale; catalogues and EPSS do after 720',
    1,
    8_760,
    '168',
  ),
  auditDays: integer('SERVICE_AUDIT_DAYS', 'How long entries of the audit log are kept', 1, DAYS_MAX, '730'),
  backupWarnHours: integer(
    'SERVICE_BACKUP_WARN_HOURS',
    'After how many hours without a good backup there is a warning; 0 gives none',
    0,
    8_760,
    '48',
  ),
  telemetryPii: flag(
    'SERVICE_TELEMETRY_PII',
    '0 keeps no e-mail and IP addresses in telemetry; credentials are never kept',
    '1',
  ),
  surfaceScans: flag(
    'SERVICE_SURFACE_SCANS',
    '0 keeps tenants from having their own sites looked at, and their domains checked, from here',
    '1',
  ),
  scanAllowPrivate: flag(
    'SERVICE_SCAN_ALLOW_PRIVATE',
    '1 lets surface scans reach sites at private addresses and on other ports',
    '0',
  ),
  scanDailyCap: integer(
    'SERVICE_SCAN_DAILY_CAP',
    'Scans of POST /scans and of schedules that a license may begin in a UTC day',
    1,
    100_000,
    '50',
  ),
  credentialDays: integer(
    'SERVICE_CREDENTIAL_DAYS',
    'Days that a credential holds when its request names no others',
    1,
    365,
    '90',
  ),
  trustEnabled: flag(
    'SERVICE_TRUST_ENABLED',
    '0 shows nobody the trust state of a site, whatever its tenant wants; SERVICE_BASE_URL has to be set too',
    '1',
  ),
  trustMinGrade: {
    ...text('SERVICE_TRUST_MIN_GRADE', 'Least grade of an assessment that is shown to the public', 'B'),
    form: `one of ${TRUST_GRADES.join(', ')}`,
    schema: Type.Union(TRUST_GRADES.map((grade) => Type.Literal(grade))),
  },
  trustValidDays: integer(
    'SERVICE_TRUST_VALID_DAYS',
    'How old what an assessment rests on may be, in days, for it to be shown to the public',
    1,
    90,
    '8',
  ),
  securityTxt: optionalText(
    'SERVICE_SECURITY_TXT',
    'Your own security.txt (RFC 9116), a file that is served at /.well-known/security.txt',
  ),
  trialsEnabled: flag('SERVICE_TRIALS_ENABLED', '0 answers every request for a trial with 409', '1'),
  trialsPerDay: integer(
    'SERVICE_TRIALS_PER_DAY',
    'Trials that may begin in a UTC day, in the whole installation',
    1,
    1_000_000,
    '50',
  ),
  catalogFile: optionalText(
    'SERVICE_CATALOG_FILE',
    'What is sold, a JSON file in place of the embedded catalogue',
  ),
  paymentGraceDays: integer(
    'SERVICE_PAYMENT_GRACE_DAYS',
    'How long a license stays valid while a payment is past due',
    0,
    60,
    '7',
  ),
  stripeSecretKey: secret(
    'SERVICE_STRIPE_SECRET_KEY',
    'Secret or restricted key of Stripe; without it trials and checkout are mocked',
    '^(sk|rk)_(live|test)_[A-Za-z0-9_]+$',
    'a key such as sk_test_... or rk_live_...',
  ),
  stripeWebhookSecret: secret(
    'SERVICE_STRIPE_WEBHOOK_SECRET',
    "Signing secret of Stripe's webhook endpoint; without it /webhooks/stripe is not there",
    '^whsec_[A-Za-z0-9_+/=]+$',
    'a secret such as whsec_...',
  ),
  stripeApiBase: origin('SERVICE_STRIPE_API_BASE', "Another host in place of Stripe's, for tests"),
  aiUrl: optionalText(
    'SERVICE_AI_URL',
    'OpenAI-compatible endpoint on your own network for second opinions on analyses; together with SERVICE_AI_MODEL',
    '^https?://[^\\s?#]+$',
    'an address that starts with http:// or https://',
  ),
  aiModel: optionalText('SERVICE_AI_MODEL', 'Model to ask there'),
  aiKey: secret('SERVICE_AI_KEY', 'Key of that endpoint, if it wants one'),
  aiTimeoutSeconds: integer('SERVICE_AI_TIMEOUT_SECONDS', 'How long an opinion may take', 1, 120, '10'),
  pluginVersion: optionalText(
    'SERVICE_PLUGIN_VERSION',
    "Newest released version of your plugin, which sites' own are compared with; without it, the newest that a tenant runs",
    PLAIN_VERSION.source,
    'a version such as 2.4.1',
  ),
  stagingDomains: list(
    'SERVICE_STAGING_DOMAINS',
    'Your own development domains, which take up no site of a license, separated by commas',
    `^${DOMAIN_LABEL}([.]${DOMAIN_LABEL})*$`,
    'domains in lower case, separated by commas',
  ),
} as const satisfies Record<string, Setting>;

/** @throws Fault when two settings are of one variable of the environment */
export const refuseDoubleSettings = (settings: Readonly<Record<string, Setting>>): void =>
  refuseDoubles(
    'setting',
    Object.entries(settings).map(([place, { env }]) => ({ name: env, place })),
  );

refuseDoubleSettings(SETTINGS);

export type SettingName = keyof typeof SETTINGS;

/** What a running service cannot take over: it holds from the next start on. */
export const AT_START_ONLY = [
  'host',
  'port',
  'socketMode',
  'adminHost',
  'adminPort',
  'adminSocketMode',
  'dataDir',
  'databaseUrl',
  'databaseCa',
  'limitsUrl',
  'limitsCa',
  'keysDir',
  'diskReserveMib',
] as const satisfies readonly SettingName[];

/** What it takes over unless that would switch TLS on or off: a port cannot speak TLS to some and plain HTTP to others. */
export const OF_TLS = [
  'tlsCert',
  'tlsKey',
  'adminTlsCert',
  'adminTlsKey',
] as const satisfies readonly SettingName[];
