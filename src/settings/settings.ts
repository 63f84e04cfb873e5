import { type TSchema, Type } from 'typebox';
import { ROLES } from '../domain/admin/operator.ts';
import { LOG_LEVELS } from '../lib/log.ts';
import { refuseDoubles } from '../lib/refuse-doubles.ts';
import { PLAIN_VERSION } from '../lib/version-order.ts';

/** A setting: its name, its valid values and its meaning. */
export interface Setting<Schema extends TSchema = TSchema> {
  readonly env: string;
  /** The schema of the parsed value. */
  readonly schema: Schema;
  readonly kind: 'text' | 'host' | 'origin' | 'integer' | 'flag' | 'list';
  /** The valid values, in words for the operator. */
  readonly form: string;
  /** The default, as an environment variable would have it; absent = not set. */
  readonly fallback?: string;
  /** Masked wherever settings are shown, and may come from a file named by `<env>_FILE`. */
  readonly secret?: true;
  /** A secret that commands need, too. */
  readonly ofCommands?: true;
  readonly help: string;
}

const optionalText = (env: string, help: string, pattern?: string, form = 'some text') =>
  ({ env, help, form, kind: 'text', schema: Type.String(pattern ? { pattern } : { minLength: 1 }) }) as const;
const secret = (env: string, help: string, pattern?: string, form?: string) =>
  ({ ...optionalText(env, help, pattern, form), secret: true }) as const;
/** A name or an address (IPv6 in brackets) with an optional port. It cannot contain "+", which separates parts of key names. */
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
      `Permissions of the Unix socket named by ${ofSetting}, in octal`,
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
/** Less than the minute after which the listener closes a silent connection without an answer. */
const BODY_SECONDS_MAX = 50;
/** Half of the units' stop timeout; the rest is for running requests. */
const LEAVE_SECONDS_MAX = 15;
/** With up to 176 bytes per entry, 35 MB that are sent to every reader. */
const FEED_ENTRIES_MAX = 200_000;
const PER_MINUTE_MAX = 1_000_000_000;
const DAILY_BUDGET_MAX = 1_000_000_000_000;
const CONNECTIONS_MAX = 1_000_000;

export const SMTP_TLS = ['starttls', 'tls'] as const;
const MAILBOX = "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?";

const TRUST_GRADES = ['A', 'B', 'C', 'D'] as const;

/** All settings, by their name in {@link Config}. */
export const SETTINGS = {
  host: host(
    'SERVICE_HOST',
    'Address to listen on, or the path of a Unix socket for a proxy on this host',
    '127.0.0.1',
  ),
  port: integer('SERVICE_PORT', 'Port to listen on; 0: any free port', 0, 65_535, '8080'),
  socketMode: socketMode('SERVICE_SOCKET_MODE', 'SERVICE_HOST'),
  dataDir: text('SERVICE_DATA_DIR', 'Directory of the database, on a local disk', '/var/lib/redoubt'),
  databaseUrl: {
    ...secret(
      'SERVICE_DATABASE_URL',
      'PostgreSQL instead of the embedded database: postgres://user:password@host:5432/name',
      '^postgres(ql)?://',
      'an address that starts with postgres://',
    ),
    ofCommands: true,
  },
  databaseCa: optionalText(
    'SERVICE_DATABASE_CA',
    'CA certificates for PostgreSQL, a PEM file; default: those of the system',
  ),
  limitsUrl: secret(
    'SERVICE_LIMITS_URL',
    'Valkey or Redis that counts rate limits for all nodes instead of PostgreSQL: redis://user:password@host:6379/0, or rediss:// with TLS',
    '^(rediss?|unix)://',
    'an address that starts with redis://, rediss:// or unix://',
  ),
  limitsCa: optionalText(
    'SERVICE_LIMITS_CA',
    'CA certificates for the rate limit server, a PEM file, for rediss://; default: those of the system',
  ),
  keysDir: optionalText(
    'SERVICE_KEYS_DIR',
    'Directory of the keys shared by all nodes on one PostgreSQL: installation.key and signing/. Default: the data directory',
  ),
  diskReserveMib: integer(
    'SERVICE_DISK_RESERVE_MIB',
    'Disk space reserved for operators and retention, in MiB; tenants need as much again. 0: none',
    0,
    10_240,
    '16',
  ),
  baseUrl: origin('SERVICE_BASE_URL', 'Public address of this service, without a path'),
  portal: flag('SERVICE_PORTAL', '1 serves the portal for tenants at /portal', '1'),
  brandName: optionalText(
    'SERVICE_BRAND_NAME',
    'Your name in the portal, on trust pages and badges and in mails; default: Redoubt',
  ),
  brandLogo: optionalText(
    'SERVICE_BRAND_LOGO',
    'Your logo there, an SVG or PNG file of at most 64 KiB; an SVG may only draw',
  ),
  brandColor: optionalText(
    'SERVICE_BRAND_COLOR',
    'Your color there, readable on white; the dark theme uses a lighter tone of it',
    '^#[0-9A-Fa-f]{6}$',
    'a color such as #0d7a6c',
  ),
  supportUrl: optionalText(
    'SERVICE_SUPPORT_URL',
    'Where your customers get help: a URL or a mail address',
    '^(https://[^\\s"<>]+|(mailto:)?[^\\s@:/"<>?]+@[^\\s@:/"<>?]+)$',
    'a mail address, or a URL that starts with https://',
  ),
  signingKey: secret(
    'SERVICE_SIGNING_KEY',
    'Private key that signs credentials, P-256 as a PKCS#8 PEM, instead of keys that the service creates',
  ),
  trustedProxies: ranges(
    'SERVICE_TRUSTED_PROXIES',
    'Proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges, separated by commas',
  ),
  metricsAllow: ranges(
    'SERVICE_METRICS_ALLOW',
    'Clients allowed to read /metrics directly, without a proxy: addresses or CIDR ranges, separated by commas',
    '127.0.0.0/8,::1',
  ),
  tlsCert: optionalText('SERVICE_TLS_CERT', 'Certificate chain, a PEM file; together with SERVICE_TLS_KEY'),
  tlsKey: optionalText('SERVICE_TLS_KEY', 'Private key of the certificate, a PEM file'),
  hstsSeconds: integer(
    'SERVICE_HSTS_SECONDS',
    'HSTS with its own TLS: seconds for which browsers require TLS for this host, on every port; 0 clears it',
    0,
    63_072_000,
    '31536000',
  ),
  adminHost: host(
    'SERVICE_ADMIN_HOST',
    'Address of the admin API, or the path of a Unix socket; any address but loopback requires SERVICE_ADMIN_TLS_CERT',
    '127.0.0.1',
  ),
  adminPort: {
    ...integer(
      'SERVICE_ADMIN_PORT',
      'Port of the admin API; 0: any free port, off: no admin API',
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
    'Clients allowed to use the admin API: addresses or CIDR ranges, separated by commas',
    '127.0.0.0/8,::1',
  ),
  adminTrustedProxies: ranges(
    'SERVICE_ADMIN_TRUSTED_PROXIES',
    'Proxies of the admin API whose X-Forwarded headers are trusted: addresses or CIDR ranges, separated by commas',
  ),
  adminUrl: origin('SERVICE_ADMIN_URL', 'Public address of the console, without a path, if it differs'),
  adminTlsCert: optionalText(
    'SERVICE_ADMIN_TLS_CERT',
    'Certificate chain of the admin API, a PEM file; together with SERVICE_ADMIN_TLS_KEY',
  ),
  adminTlsKey: optionalText('SERVICE_ADMIN_TLS_KEY', 'Private key of that certificate, a PEM file'),
  adminRatePerMinute: integer(
    'SERVICE_ADMIN_RATE_PER_MINUTE',
    'Requests per admin API token per minute',
    1,
    PER_MINUTE_MAX,
    '300',
  ),
  admin2fa: flag('SERVICE_ADMIN_2FA', '1 requires a second factor for the console', '0'),
  oidcIssuer: optionalText(
    'SERVICE_OIDC_ISSUER',
    'Issuer of the OpenID Connect provider that signs operators in, as its tokens name it; requires SERVICE_ADMIN_URL',
    '^https?://[^\\s?#@]+$',
    'an address that starts with https://, without a query',
  ),
  oidcClientId: optionalText('SERVICE_OIDC_CLIENT_ID', 'Client ID of the console at the provider'),
  oidcClientSecret: secret('SERVICE_OIDC_CLIENT_SECRET', 'Client secret there; without it, a public client'),
  oidcScopes: text('SERVICE_OIDC_SCOPES', 'Scopes to request, separated by spaces', 'openid profile email'),
  oidcRoleClaim: text(
    'SERVICE_OIDC_ROLE_CLAIM',
    'Claim with the groups of a person; dots lead into objects, such as realm_access.roles',
    'groups',
  ),
  oidcRoles: list(
    'SERVICE_OIDC_ROLES',
    'Role of each group, such as owner=redoubt-owners,support=helpdesk; viewer=* is every person',
    `^(${ROLES.join('|')})=.+$`,
    `pairs such as owner=redoubt-owners, separated by commas, of the roles ${ROLES.join(', ')}`,
  ),
  oidcName: text('SERVICE_OIDC_NAME', 'Name of the provider on the sign-in page', 'single sign-on'),
  oidcOnly: flag('SERVICE_OIDC_ONLY', '1 turns off sign-in with passwords', '0'),
  oidcCa: optionalText(
    'SERVICE_OIDC_CA',
    'CA certificates for the provider, a PEM file; default: those of the system',
  ),
  logLevel: {
    ...text('SERVICE_LOG_LEVEL', 'Minimum log level: debug, info, warn or error', 'info'),
    form: `one of ${LOG_LEVELS.join(', ')}`,
    schema: Type.Union(LOG_LEVELS.map((level) => Type.Literal(level))),
  },
  threatFeedEnabled: flag('SERVICE_THREAT_FEED_ENABLED', '1 serves the threat feed', '0'),
  feedEpochSeconds: integer(
    'SERVICE_FEED_EPOCH_SECONDS',
    'Seconds between changes of the feed',
    1,
    86_400,
    '300',
  ),
  feedMinCorroboration: integer(
    'SERVICE_FEED_MIN_CORROBORATION',
    'Customers that must report a threat before it is in the feed',
    1,
    1_000,
    '3',
  ),
  feedWindowDays: integer('SERVICE_FEED_WINDOW_DAYS', 'Days for which a report counts', 1, DAYS_MAX, '14'),
  feedMinAgeHours: integer(
    'SERVICE_FEED_MIN_AGE_HOURS',
    'Hours after its first telemetry until a license counts for the feed; 0: all count, even without telemetry',
    0,
    8_760,
    '24',
  ),
  feedMaxEntries: integer(
    'SERVICE_FEED_MAX_ENTRIES',
    'Maximum number of threats in the feed: the most corroborated first, then the most recent',
    1,
    FEED_ENTRIES_MAX,
    '50000',
  ),
  rateKeyPerMinute: integer(
    'SERVICE_RATE_KEY_PER_MINUTE',
    'Requests per key per minute',
    1,
    PER_MINUTE_MAX,
    '100',
  ),
  rateIpPerMinute: optionalInteger(
    'SERVICE_RATE_IP_PER_MINUTE',
    'One value for all limits per IP address per minute, instead of their own',
    1,
    PER_MINUTE_MAX,
  ),
  connections: integer(
    'SERVICE_CONNECTIONS',
    'Maximum number of open connections, within the limit of open files',
    1,
    CONNECTIONS_MAX,
    '10000',
  ),
  bodyTimeoutSeconds: integer(
    'SERVICE_BODY_TIMEOUT_SECONDS',
    'Seconds for a request body to arrive',
    1,
    BODY_SECONDS_MAX,
    '15',
  ),
  leaveSeconds: integer(
    'SERVICE_LEAVE_SECONDS',
    'Seconds for which a stopping node on PostgreSQL keeps serving, until load balancers use other nodes',
    0,
    LEAVE_SECONDS_MAX,
    '2',
  ),
  dailyCap: integer(
    'SERVICE_DAILY_CAP',
    'Accepted requests per license per day (UTC) on each capped route',
    1,
    1_000_000_000,
    '500',
  ),
  dailyEvents: optionalInteger(
    'SERVICE_DAILY_EVENTS',
    'Telemetry events stored per license per day (UTC), instead of the budgets of the plans; 0: no limit',
    0,
    DAILY_BUDGET_MAX,
  ),
  dailyBytes: optionalInteger(
    'SERVICE_DAILY_BYTES',
    'Bytes of telemetry and signals stored per license per day (UTC), instead of the budgets of the plans; 0: no limit',
    0,
    DAILY_BUDGET_MAX,
  ),
  retentionDays: integer(
    'SERVICE_RETENTION_DAYS',
    'Days for which events, refused domains and components of sites are stored',
    1,
    DAYS_MAX,
    '90',
  ),
  mirrorStaleHours: integer(
    'SERVICE_MIRROR_STALE_HOURS',
    'Hours without an update after which a vulnerability source is out of date; catalogs and EPSS: 720',
    1,
    8_760,
    '168',
  ),
  auditDays: integer('SERVICE_AUDIT_DAYS', 'Days for which audit log entries are stored', 1, DAYS_MAX, '730'),
  backupWarnHours: integer(
    'SERVICE_BACKUP_WARN_HOURS',
    'Hours without a verified backup after which there is a warning; 0: no warning',
    0,
    8_760,
    '48',
  ),
  telemetryPii: flag(
    'SERVICE_TELEMETRY_PII',
    '0 redacts e-mail and IP addresses in telemetry; credentials are always redacted',
    '1',
  ),
  surfaceScans: flag('SERVICE_SURFACE_SCANS', '0 turns off surface scans and domain checks', '1'),
  scanAllowPrivate: flag(
    'SERVICE_SCAN_ALLOW_PRIVATE',
    '1 allows surface scans of private addresses and other ports',
    '0',
  ),
  scanDailyCap: integer(
    'SERVICE_SCAN_DAILY_CAP',
    'Scans per license per day (UTC), by POST /scans and by schedule',
    1,
    100_000,
    '50',
  ),
  credentialDays: integer(
    'SERVICE_CREDENTIAL_DAYS',
    'Default validity of a credential, in days',
    1,
    365,
    '90',
  ),
  trustEnabled: flag(
    'SERVICE_TRUST_ENABLED',
    '0 turns off public trust states; they also require SERVICE_BASE_URL',
    '1',
  ),
  trustMinGrade: {
    ...text('SERVICE_TRUST_MIN_GRADE', 'Lowest grade that is shown to the public', 'B'),
    form: `one of ${TRUST_GRADES.join(', ')}`,
    schema: Type.Union(TRUST_GRADES.map((grade) => Type.Literal(grade))),
  },
  trustValidDays: integer(
    'SERVICE_TRUST_VALID_DAYS',
    'Maximum age in days of the data of a public assessment',
    1,
    90,
    '8',
  ),
  securityTxt: optionalText(
    'SERVICE_SECURITY_TXT',
    'Your security.txt (RFC 9116), a file served at /.well-known/security.txt',
  ),
  securityContact: optionalText(
    'SERVICE_SECURITY_CONTACT',
    'Where to report a vulnerability of this service: a mail address or URL for /.well-known/security.txt, instead of a file',
    '^(https://[^\\s]+|(mailto:)?[^\\s@:/]+@[^\\s@:/]+|tel:[+0-9-]+)$',
    'a mail address, or a URL that starts with https://, mailto: or tel:',
  ),
  trialsEnabled: flag('SERVICE_TRIALS_ENABLED', '0 refuses all trials (409)', '1'),
  trialsPerDay: integer(
    'SERVICE_TRIALS_PER_DAY',
    'Trials per day (UTC) in the whole installation',
    1,
    1_000_000,
    '50',
  ),
  catalogFile: optionalText('SERVICE_CATALOG_FILE', 'Your catalog, a JSON file, instead of the embedded one'),
  paymentGraceDays: integer(
    'SERVICE_PAYMENT_GRACE_DAYS',
    'Days for which a license stays valid while a payment is past due',
    0,
    60,
    '7',
  ),
  stripeSecretKey: secret(
    'SERVICE_STRIPE_SECRET_KEY',
    'Secret or restricted key of Stripe; without it, trials and checkout are simulated',
    '^(sk|rk)_(live|test)_[A-Za-z0-9_]+$',
    'a key such as sk_test_... or rk_live_...',
  ),
  stripeWebhookSecret: secret(
    'SERVICE_STRIPE_WEBHOOK_SECRET',
    'Signing secret of the Stripe webhook; without it, /webhooks/stripe does not exist',
    '^whsec_[A-Za-z0-9_+/=]+$',
    'a secret such as whsec_...',
  ),
  stripeApiBase: origin('SERVICE_STRIPE_API_BASE', 'Host to use instead of Stripe, for tests'),
  aiUrl: optionalText(
    'SERVICE_AI_URL',
    'OpenAI-compatible endpoint on your network for second opinions on analyses; together with SERVICE_AI_MODEL',
    '^https?://[^\\s?#]+$',
    'an address that starts with http:// or https://',
  ),
  aiModel: optionalText('SERVICE_AI_MODEL', 'Model to use there'),
  aiKey: secret('SERVICE_AI_KEY', 'Key of that endpoint, if it requires one'),
  aiTimeoutSeconds: integer('SERVICE_AI_TIMEOUT_SECONDS', 'Seconds to wait for an opinion', 1, 120, '10'),
  notifyAllowPrivate: flag(
    'SERVICE_NOTIFY_ALLOW_PRIVATE',
    '1 allows your notification targets at private addresses, and webhooks over http',
    '0',
  ),
  tenantNotifyAllowPrivate: flag(
    'SERVICE_TENANT_NOTIFY_ALLOW_PRIVATE',
    '1 allows the same for targets of tenants, who can then send requests into your network',
    '0',
  ),
  tenantNotifications: flag(
    'SERVICE_TENANT_NOTIFICATIONS',
    '1 lets tenants configure webhooks and mail for events of their own license',
    '1',
  ),
  smtpHost: optionalText(
    'SERVICE_SMTP_HOST',
    'Mail server that sends notifications; without it, no mail is sent',
    '^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$|^[0-9A-Fa-f:.]+$',
    'a host name or an IP address',
  ),
  smtpPort: optionalInteger(
    'SERVICE_SMTP_PORT',
    'Port of the mail server; default: 587, with SERVICE_SMTP_TLS=tls 465, and 25 without TLS',
    1,
    65_535,
  ),
  smtpTls: {
    ...optionalText(
      'SERVICE_SMTP_TLS',
      'starttls or tls; default: starttls, and no TLS for a mail server on this host',
    ),
    form: `one of ${SMTP_TLS.join(', ')}`,
    schema: Type.Union(SMTP_TLS.map((mode) => Type.Literal(mode))),
  },
  smtpCa: optionalText(
    'SERVICE_SMTP_CA',
    'CA certificates for the mail server, a PEM file; default: those of the system',
  ),
  smtpUser: optionalText(
    'SERVICE_SMTP_USER',
    'User name at the mail server; together with SERVICE_SMTP_PASSWORD',
    '^[^\\p{Cc}]{1,320}$',
    'a name on one line',
  ),
  smtpPassword: secret('SERVICE_SMTP_PASSWORD', 'Password at the mail server'),
  smtpFrom: optionalText(
    'SERVICE_SMTP_FROM',
    'Sender of mails: an address, or a name followed by an address in angle brackets; default name: SERVICE_BRAND_NAME',
    `^${MAILBOX}$|^[^\\p{Cc}<>"]{1,100} <${MAILBOX}>$`,
    'a mail address, or a name followed by one in angle brackets',
  ),
  pluginVersion: optionalText(
    'SERVICE_PLUGIN_VERSION',
    'Newest released version of your plugin, compared with those of sites; default: the newest that a tenant runs',
    PLAIN_VERSION.source,
    'a version such as 2.4.1',
  ),
  stagingDomains: list(
    'SERVICE_STAGING_DOMAINS',
    'Your development domains, which do not count as sites of a license, separated by commas',
    `^${DOMAIN_LABEL}([.]${DOMAIN_LABEL})*$`,
    'domains in lower case, separated by commas',
  ),
} as const satisfies Record<string, Setting>;

/** @throws Fault if two settings have the same environment variable */
export const refuseDoubleSettings = (settings: Readonly<Record<string, Setting>>): void =>
  refuseDoubles(
    'setting',
    Object.entries(settings).map(([place, { env }]) => ({ name: env, place })),
  );

refuseDoubleSettings(SETTINGS);

export type SettingName = keyof typeof SETTINGS;

/** Settings whose change requires a restart. */
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

/** Settings that a reload applies, unless TLS would be turned on or off: a port cannot serve both TLS and plain HTTP. */
export const OF_TLS = [
  'tlsCert',
  'tlsKey',
  'adminTlsCert',
  'adminTlsKey',
] as const satisfies readonly SettingName[];
