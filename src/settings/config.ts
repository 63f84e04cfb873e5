import { existsSync, type Stats, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Static } from 'typebox';
import { Check } from 'typebox/value';
import { parseRange, textInRanges } from '../lib/address-range.ts';
import { Fault } from '../lib/fault.ts';
import { type Faults, orFirstFault } from '../lib/faults.ts';
import { fileWords } from '../lib/file-trouble.ts';
import { type ReadFile, readFile } from '../lib/read-file.ts';
import { addressesOf, hostToListenOn, isSocketPath } from '../lib/socket-address.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { dataDirectoryOn, whyVolumeRefused } from './data-volume.ts';
import { SETTINGS, type Setting, type SettingName } from './settings.ts';

type Value<Name extends SettingName> = Static<(typeof SETTINGS)[Name]['schema']>;
type Optional = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { fallback: string } ? never : Name;
}[SettingName];

/** The service's settings: complete, valid and immutable. */
export type Config = { readonly [Name in Exclude<SettingName, Optional>]: Value<Name> } & {
  readonly [Name in Optional]: Value<Name> | undefined;
};

type Settings = Readonly<Record<string, Setting>>;

/** An invalid setting. The message is one line for the operator. */
export class ConfigRefused extends Fault {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether secrets are read, and the function that reads files. */
export interface ConfigReading {
  readonly secrets?: boolean;
  readonly read?: ReadFile;
}

/**
 * Reads the settings from an environment and from the file named by SERVICE_CONFIG. The environment takes precedence, so that
 * a setting can be changed for one start. If the name starts with "-", as in systemd units, the file may be missing. Without
 * `secrets`, only those needed by commands are read, because a unit's credentials exist only while it runs.
 *
 * @throws ConfigRefused that names the setting, never a secret's value
 */
export const loadConfig = (environment: Environment, reading: ConfigReading = {}): Config =>
  orFirstFault((faults) => tryConfig(environment, faults, reading)) as Config;

/**
 * Like {@link loadConfig}, but continues after invalid settings.
 *
 * @param faults receives a ConfigRefused for each
 * @returns all valid settings; complete only if there are no faults
 */
export function tryConfig(
  environment: Environment,
  faults: Faults,
  { secrets = true, read = readFile }: ConfigReading = {},
): Partial<Config> {
  const merged = { ...faults.attempt(() => configFile(environment)), ...environment };
  const checkedValue = (setting: Setting) => {
    const value = requireRanges(setting, readSetting(setting, merged, read));
    return setting === SETTINGS.dataDir ? onVolume(String(value), merged.container) : value;
  };
  const values = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [
    name,
    setting.secret && !setting.ofCommands && !secrets
      ? undefined
      : faults.attempt(() => checkedValue(setting)),
  ]);
  const config = Object.freeze(Object.fromEntries(values)) as Config;
  // An invalid setting would also seem to be missing.
  if (faults.found.length === 0) for (const rule of RULES) faults.attempt(() => rule(config));
  if (faults.found.length === 0) faults.attempt(() => refuseSamePort(config));
  if (secrets) {
    const { tlsKey, adminTlsKey } = config;
    const keyFiles = {
      SERVICE_TLS_KEY: tlsKey,
      SERVICE_ADMIN_TLS_KEY: adminTlsKey,
      SERVICE_SIGNING_KEY_FILE: merged.SERVICE_SIGNING_KEY_FILE,
    };
    for (const [setting, path] of Object.entries(keyFiles))
      if (path) faults.attempt(() => refuseOpenKey(setting, path));
  }
  return config;
}

/**
 * The data directory, which may be in a volume named by the setting.
 *
 * @throws ConfigRefused if the volume cannot be used
 */
export function onVolume(directory: string, container: string | undefined): string {
  const why = whyVolumeRefused(directory, container);
  if (why !== undefined) throw new ConfigRefused(`SERVICE_DATA_DIR: ${why}`);
  return dataDirectoryOn(directory);
}

/** Rules about combinations of settings. */
const RULES: readonly ((config: Config) => void)[] = [
  ({ tlsCert, tlsKey }) => requireBoth('SERVICE_TLS_CERT', tlsCert, 'SERVICE_TLS_KEY', tlsKey),
  ({ adminTlsCert, adminTlsKey }) =>
    requireBoth('SERVICE_ADMIN_TLS_CERT', adminTlsCert, 'SERVICE_ADMIN_TLS_KEY', adminTlsKey),
  ({ adminPort, adminTlsCert, adminHost }) => {
    if (adminPort === 'off' || adminTlsCert !== undefined || isLoopback(adminHost)) return;
    throw new ConfigRefused(
      `SERVICE_ADMIN_HOST "${adminHost}" is not a loopback address. Set SERVICE_ADMIN_TLS_CERT and SERVICE_ADMIN_TLS_KEY, and SERVICE_ADMIN_ALLOW for the clients`,
    );
  },
  ({ host, adminHost, adminPort }) => {
    refuseLongPath('SERVICE_HOST', host);
    if (adminPort === 'off') return;
    refuseLongPath('SERVICE_ADMIN_HOST', adminHost);
    if (isSocketPath(host) && host === adminHost)
      throw new ConfigRefused(
        'SERVICE_HOST and SERVICE_ADMIN_HOST are the same Unix socket. Change one of them',
      );
  },
  ({ host, tlsCert, adminHost, adminTlsCert }) => {
    refuseTlsOverSocket('SERVICE_HOST', host, 'SERVICE_TLS', tlsCert);
    refuseTlsOverSocket('SERVICE_ADMIN_HOST', adminHost, 'SERVICE_ADMIN_TLS', adminTlsCert);
  },
  ({ host, baseUrl }) => {
    if (!isSocketPath(host) || baseUrl !== undefined) return;
    throw new ConfigRefused(
      'SERVICE_HOST is a Unix socket. Set SERVICE_BASE_URL to the address of the proxy, as clients see it',
    );
  },
  ({ keysDir, databaseUrl }) => {
    if (keysDir === undefined || databaseUrl !== undefined) return;
    throw new ConfigRefused(
      'SERVICE_KEYS_DIR requires SERVICE_DATABASE_URL: it is for several nodes. Set that too, or leave the keys in the data directory',
    );
  },
  ({ limitsUrl, databaseUrl }) => {
    if (limitsUrl === undefined || databaseUrl !== undefined) return;
    throw new ConfigRefused(
      'SERVICE_LIMITS_URL requires SERVICE_DATABASE_URL: it is for several nodes. Set that too, or unset it',
    );
  },
  ({ aiUrl, aiModel }) => requireBoth('SERVICE_AI_URL', aiUrl, 'SERVICE_AI_MODEL', aiModel),
  ({ stripeWebhookSecret, stripeSecretKey }) => {
    if (stripeWebhookSecret === undefined || stripeSecretKey !== undefined) return;
    throw new ConfigRefused('SERVICE_STRIPE_WEBHOOK_SECRET requires SERVICE_STRIPE_SECRET_KEY. Set it too');
  },
];

const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::'];

/** Whether listeners on two hosts would share an address, and therefore need different ports. */
export const isSameAddress = (one: string, other: string): boolean =>
  EVERY_ADDRESS.includes(one) ||
  EVERY_ADDRESS.includes(other) ||
  addressesOf(one).some((address) => addressesOf(other).includes(address));

/** The maximum length of a Unix socket's path (unix(7)). */
const SOCKET_PATH_BYTES_MAX = 107;

function refuseLongPath(env: string, host: string): void {
  if (isSocketPath(host) && Buffer.byteLength(host) > SOCKET_PATH_BYTES_MAX)
    throw new ConfigRefused(
      `${env} is the path of a Unix socket, which can have at most ${SOCKET_PATH_BYTES_MAX} bytes. Use a shorter one`,
    );
}

function refuseTlsOverSocket(env: string, host: string, tls: string, certificate: string | undefined) {
  if (isSocketPath(host) && certificate !== undefined)
    throw new ConfigRefused(
      `${env} is a Unix socket, which does not support TLS. Unset ${tls}_CERT and ${tls}_KEY`,
    );
}

function refuseSamePort({ host, port, adminHost, adminPort }: Config): void {
  if (isSocketPath(host) || isSocketPath(adminHost)) return;
  if (port === undefined || port !== adminPort || port === 0 || !isSameAddress(host, adminHost)) return;
  throw new ConfigRefused(
    `SERVICE_PORT and SERVICE_ADMIN_PORT are both ${port}. Change one of them, or set it to off`,
  );
}

function requireBoth(one: string, value: string | undefined, other: string, otherValue: string | undefined) {
  if ((value === undefined) === (otherValue === undefined)) return;
  throw new ConfigRefused(`${one} and ${other} must be set together`);
}

const isLoopbackAddress = textInRanges(['127.0.0.0/8', '::1']);

/** Whether only this host can connect to a listener. */
export const isLoopback = (host: string): boolean =>
  isSocketPath(host) || host === 'localhost' || isLoopbackAddress(host);

const OF_OTHERS = 0o007;

/**
 * Refuses a private key that all users can access. Its group may read it: groups commonly share keys (Debian's ssl-cert), and
 * systemd provides credentials with mode 0440. A missing file is reported when the key is read.
 */
function refuseOpenKey(setting: string, path: string): void {
  const { mode, uid, gid } = statusOf(path) ?? {};
  if (mode === undefined || (mode & OF_OTHERS) === 0) return;
  const [user, group, groups] = [process.geteuid?.(), process.getegid?.(), process.getgroups?.() ?? []];
  const isShared = user === 0 || user === uid || [group, ...groups].includes(gid);
  const remedy = isShared ? `chmod o= ${path}` : `chgrp ${group} ${path} && chmod 640 ${path}`;
  throw new ConfigRefused(`${setting}: ${path} is open to every user of this host. Run ${remedy}`);
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const OF_RANGES: readonly string[] = [
  SETTINGS.trustedProxies,
  SETTINGS.metricsAllow,
  SETTINGS.adminAllow,
  SETTINGS.adminTrustedProxies,
].map(({ env }) => env);

function requireRanges({ env }: Setting, value: unknown): unknown {
  if (OF_RANGES.includes(env)) for (const text of value as readonly string[]) requireRange(env, text);
  return value;
}

function requireRange(env: string, text: string): void {
  try {
    parseRange(text);
  } catch {
    throw new ConfigRefused(`${env}: "${text}" is not an address or CIDR range`);
  }
}

/** A shorter prefix covers more than any operator's network. */
const WIDE_BITS_MAX = 3;

/** Settings that trust almost all addresses as proxies, so that callers could choose their address. */
export function proxiesOfEverybody(config: Partial<Config>): string[] {
  const isWide = (text: string) => {
    const [, bits] = parseRange(text);
    return bits <= WIDE_BITS_MAX;
  };
  return (['trustedProxies', 'adminTrustedProxies'] as const)
    .filter((name) => config[name]?.some(isWide))
    .map((name) => SETTINGS[name].env);
}

/** Unknown variables that look like settings of this service, probably misspelled. */
export function unknownSettings(environment: Environment, settings: Settings = SETTINGS): string[] {
  const known = new Set(
    Object.values(settings).flatMap(({ env, secret }) => (secret ? [env, `${env}_FILE`] : [env])),
  );
  known.add('SERVICE_CONFIG');
  // systemd sets this in the clean-up commands of all units.
  known.add('SERVICE_RESULT');
  return Object.keys(mergedEnvironment(environment)).filter(
    (name) => name.startsWith('SERVICE_') && !known.has(name),
  );
}

/** The variable that sets a secret: its own, or the one for its file; undefined if neither is set. */
export function secretSetBy({ env }: Setting, environment: Environment): string | undefined {
  const merged = mergedEnvironment(environment);
  return [env, `${env}_FILE`].find((name) => merged[name]);
}

/** The origin of a setting's value. */
export type SettingSource = 'default' | 'environment' | 'file';

/** The origin of each setting. Empty values count as not set. */
export function settingSources(environment: Environment): Readonly<Record<SettingName, SettingSource>> {
  const file = configFile(environment);
  const sourceOf = ({ env, secret }: Setting): SettingSource => {
    const names = secret ? [env, `${env}_FILE`] : [env];
    if (names.some((name) => environment[name])) return 'environment';
    // The environment takes precedence, even with an empty value.
    return names.some((name) => environment[name] === undefined && file[name]) ? 'file' : 'default';
  };
  const sources = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [name, sourceOf(setting)]);
  return Object.fromEntries(sources) as Record<SettingName, SettingSource>;
}

const MASK = '********';
/** The user and password in an address. */
const USER_OF_ADDRESS = /(?<=:[/][/]).+(?=@)/s;

/** The settings by environment variable, with secrets masked. */
export function shownConfig(
  config: Readonly<Record<string, unknown>>,
  settings: Settings = SETTINGS,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const value = config[name];
      if (typeof value === 'string') return [setting.env, setting.secret ? MASK : withoutUser(value)];
      return [setting.env, value ?? null];
    }),
  );
}

/** Masks user and password in an address. */
export const withoutUser = (value: string) => value.replace(USER_OF_ADDRESS, MASK);

/** Masks possible secrets in an invalid value: it may be an address without its scheme, or contain a token in its query. */
const withoutSecrets = (text: string): string =>
  withoutUser(text)
    .replace(/^(?!\w+:[/]{2}).*(?=@)/s, MASK)
    .replace(/(?<=[?]).*/s, MASK);

/**
 * The environment, completed from the file named by SERVICE_CONFIG.
 *
 * @throws ConfigRefused if the file cannot be read
 */
export const mergedEnvironment = (environment: Environment): Environment => ({
  ...configFile(environment),
  ...environment,
});

function configFile(environment: Environment): Environment {
  const [, optional, path] = /^(-?)(.*)$/.exec(environment.SERVICE_CONFIG ?? '') ?? [];
  if (!path || (optional && !existsSync(path))) return {};
  const text = readText('SERVICE_CONFIG', path);
  if (/[\0\ufffd]/.test(text))
    throw new ConfigRefused(`SERVICE_CONFIG: ${path} is not a text file with one NAME=value per line`);
  return parseEnv(trimInvisible(text));
}

/**
 * The value of a setting; undefined if it is not set. `<env>_FILE` may name a file with a secret.
 *
 * @throws ConfigRefused that names the setting, never a secret's value
 */
export function readSetting(setting: Setting, environment: Environment, read = readFile): unknown {
  const text = textOf(setting, environment, read);
  if (text === undefined) return undefined;
  const value = parse(setting, trimInvisible(text));
  // Default values, the most common case, are known to be valid.
  if (text === setting.fallback || Check(setting.schema, value)) return value;
  const shown = setting.secret ? '' : ` "${withoutSecrets(text)}"`;
  throw new ConfigRefused(`${setting.env}${shown}: must be ${setting.form}`);
}

function textOf(setting: Setting, environment: Environment, read: ReadFile): string | undefined {
  const direct = environment[setting.env];
  const file = setting.secret ? environment[`${setting.env}_FILE`] : undefined;
  if (direct && file)
    throw new ConfigRefused(`${setting.env} and ${setting.env}_FILE are both set. Unset one of them`);
  if (file) return readText(`${setting.env}_FILE`, file, read);
  // Units and compose files set unset variables to empty strings.
  return direct || setting.fallback;
}

function parse({ kind }: Setting, text: string): unknown {
  switch (kind) {
    case 'text':
      return text;
    case 'host':
      return hostToListenOn(text);
    case 'origin':
      return originOf(text);
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case 'flag':
      return text === '0' || text === '1' ? text === '1' : text;
    case 'list':
      return text === '' ? [] : text.split(',').map((entry) => entry.trim());
  }
}

/** The origin of an address in canonical form (WHATWG URL); undefined if it has more than scheme, host and port. */
const originOf = (text: string): string | undefined =>
  /^https?:[/]{2}[^\s/\\?#@]+[/]?$/i.test(text) && URL.canParse(text) ? new URL(text).origin : undefined;

function readText(env: string, path: string, read = readFile): string {
  try {
    return read(path);
  } catch (error) {
    // The value may be the secret itself, set by mistake in place of its file's name.
    const { code } = error as NodeJS.ErrnoException;
    if (!path.includes('/')) throw new ConfigRefused(`${env}: the file cannot be read (${code})`);
    throw new ConfigRefused(`${env}: cannot read ${path}: ${fileWords(error as NodeJS.ErrnoException)}`);
  }
}
