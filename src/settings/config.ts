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

/** The service's settings: complete, checked and never changed. */
export type Config = { readonly [Name in Exclude<SettingName, Optional>]: Value<Name> } & {
  readonly [Name in Optional]: Value<Name> | undefined;
};

type Settings = Readonly<Record<string, Setting>>;

/** A malformed setting; the message is one line for the operator. */
export class ConfigRefused extends Fault {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** How settings are read: whether secrets are, and how files. */
export interface ConfigReading {
  readonly secrets?: boolean;
  readonly read?: ReadFile;
}

/**
 * Reads the settings from an environment and from the file that its SERVICE_CONFIG names; a name that
 * starts with "-", as in a systemd unit, may name a file that is not there. The environment wins, so that
 * one setting can be changed for one start. Without `secrets` these are not read, as if none were set, but for those
 * that commands need: a unit's credentials are there only while it runs.
 *
 * @throws ConfigRefused naming the setting, never a secret's value
 */
export const loadConfig = (environment: Environment, reading: ConfigReading = {}): Config =>
  orFirstFault((faults) => tryConfig(environment, faults, reading)) as Config;

/**
 * The same, but goes on behind what is malformed.
 *
 * @param faults gets each ConfigRefused
 * @returns what could be read: all of it only where there are no faults
 */
export function tryConfig(
  environment: Environment,
  faults: Faults,
  { secrets = true, read = readFile }: ConfigReading = {},
): Partial<Config> {
  const merged = { ...faults.attempt(() => configFile(environment)), ...environment };
  const checkedValue = (setting: Setting) => {
    const value = refuseNoRanges(setting, readSetting(setting, merged, read));
    return setting === SETTINGS.dataDir ? onVolume(String(value), merged.container) : value;
  };
  const values = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [
    name,
    setting.secret && !setting.ofCommands && !secrets
      ? undefined
      : faults.attempt(() => checkedValue(setting)),
  ]);
  const config = Object.freeze(Object.fromEntries(values)) as Config;
  // What is malformed would also seem to be missing.
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
 * The directory of the data, where the setting names a volume.
 *
 * @throws ConfigRefused when the volume cannot be used
 */
export function onVolume(directory: string, container: string | undefined): string {
  const why = whyVolumeRefused(directory, container);
  if (why !== undefined) throw new ConfigRefused(`SERVICE_DATA_DIR: ${why}`);
  return dataDirectoryOn(directory);
}

/** What settings say only together. */
const RULES: readonly ((config: Config) => void)[] = [
  ({ tlsCert, tlsKey }) => together('SERVICE_TLS_CERT', tlsCert, 'SERVICE_TLS_KEY', tlsKey),
  ({ adminTlsCert, adminTlsKey }) =>
    together('SERVICE_ADMIN_TLS_CERT', adminTlsCert, 'SERVICE_ADMIN_TLS_KEY', adminTlsKey),
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
  ({ aiUrl, aiModel }) => together('SERVICE_AI_URL', aiUrl, 'SERVICE_AI_MODEL', aiModel),
  ({ stripeWebhookSecret, stripeSecretKey }) => {
    if (stripeWebhookSecret === undefined || stripeSecretKey !== undefined) return;
    throw new ConfigRefused('SERVICE_STRIPE_WEBHOOK_SECRET requires SERVICE_STRIPE_SECRET_KEY. Set it too');
  },
];

const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::'];

/** Whether listeners on two hosts would use one address, so that they cannot have one port. */
export const isSameAddress = (one: string, other: string): boolean =>
  EVERY_ADDRESS.includes(one) ||
  EVERY_ADDRESS.includes(other) ||
  addressesOf(one).some((address) => addressesOf(other).includes(address));

/** What fits into an address of a Unix socket (unix(7)). */
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

function together(one: string, value: string | undefined, other: string, otherValue: string | undefined) {
  if ((value === undefined) === (otherValue === undefined)) return;
  throw new ConfigRefused(`${one} and ${other} must be set together`);
}

const isLoopbackAddress = textInRanges(['127.0.0.0/8', '::1']);

/** Whether only this host can connect to a listening address. */
export const isLoopback = (host: string): boolean =>
  isSocketPath(host) || host === 'localhost' || isLoopbackAddress(host);

const OF_OTHERS = 0o007;

/**
 * Refuses a private key that is open to every user. Its group may read it: keys are commonly shared through one (Debian's
 * ssl-cert), and systemd shows its credentials with the mode 0440. One that cannot be looked at is its reader's to tell.
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

function refuseNoRanges({ env }: Setting, value: unknown): unknown {
  if (OF_RANGES.includes(env)) for (const text of value as readonly string[]) refuseNoRange(env, text);
  return value;
}

function refuseNoRange(env: string, text: string): void {
  try {
    parseRange(text);
  } catch {
    throw new ConfigRefused(`${env}: "${text}" is not an address or CIDR range`);
  }
}

/** Fewer bits than any network of one operator has. */
const BITS_OF_EVERYBODY = 3;

/** Settings that name every address, or a large part of all, as a trusted proxy: each caller could choose an address. */
export function proxiesOfEverybody(config: Partial<Config>): string[] {
  const isWide = (text: string) => {
    const [, bits] = parseRange(text);
    return bits <= BITS_OF_EVERYBODY;
  };
  return (['trustedProxies', 'adminTrustedProxies'] as const)
    .filter((name) => config[name]?.some(isWide))
    .map((name) => SETTINGS[name].env);
}

/** Names that look like settings of this service and are none: most likely misspelt. */
export function unknownSettings(environment: Environment, settings: Settings = SETTINGS): string[] {
  const known = new Set(
    Object.values(settings).flatMap(({ env, secret }) => (secret ? [env, `${env}_FILE`] : [env])),
  );
  known.add('SERVICE_CONFIG');
  // systemd sets this one for every unit's clean-up commands.
  known.add('SERVICE_RESULT');
  return Object.keys(mergedEnvironment(environment)).filter(
    (name) => name.startsWith('SERVICE_') && !known.has(name),
  );
}

/** By which name a secret is set, its own or that of a file which holds it; undefined where it is not set. */
export function secretSetBy({ env }: Setting, environment: Environment): string | undefined {
  const merged = mergedEnvironment(environment);
  return [env, `${env}_FILE`].find((name) => merged[name]);
}

/** Where the value of a setting comes from. */
export type SettingSource = 'default' | 'environment' | 'file';

/** Where each setting comes from; what is set to nothing is as if it were not set. */
export function settingSources(environment: Environment): Readonly<Record<SettingName, SettingSource>> {
  const file = configFile(environment);
  const sourceOf = ({ env, secret }: Setting): SettingSource => {
    const names = secret ? [env, `${env}_FILE`] : [env];
    if (names.some((name) => environment[name])) return 'environment';
    // The environment wins, also with nothing.
    return names.some((name) => environment[name] === undefined && file[name]) ? 'file' : 'default';
  };
  const sources = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [name, sourceOf(setting)]);
  return Object.fromEntries(sources) as Record<SettingName, SettingSource>;
}

const MASK = '********';
/** The user and password in an address. */
const USER_OF_ADDRESS = /(?<=:[/][/]).+(?=@)/s;

/** The settings as they may be shown: by their names in the environment, secrets masked. */
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

/** A value without the user, and their password, of an address. */
export const withoutUser = (value: string) => value.replace(USER_OF_ADDRESS, MASK);

/** What is no value of a setting may be an address without its beginning, or have a token in its query. */
const withoutSecrets = (text: string): string =>
  withoutUser(text)
    .replace(/^(?!\w+:[/]{2}).*(?=@)/s, MASK)
    .replace(/(?<=[?]).*/s, MASK);

/**
 * An environment with what the file that its SERVICE_CONFIG names adds to it.
 *
 * @throws ConfigRefused when that cannot be read
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
 * One setting's value, undefined when it is not set. A secret may stand in a file that `<env>_FILE` names.
 *
 * @throws ConfigRefused naming the setting, never a secret's value
 */
export function readSetting(setting: Setting, environment: Environment, read = readFile): unknown {
  const text = textOf(setting, environment, read);
  if (text === undefined) return undefined;
  const value = parse(setting, trimInvisible(text));
  // Most settings are what they are by default, which is known to be right.
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
  // An empty variable is what an unset one looks like in a unit or a compose file.
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

/** An address in the one form that all who compare it have (WHATWG URL, "origin"); undefined for one with more than scheme, host and port. */
const originOf = (text: string): string | undefined =>
  /^https?:[/]{2}[^\s/\\?#@]+[/]?$/i.test(text) && URL.canParse(text) ? new URL(text).origin : undefined;

function readText(env: string, path: string, read = readFile): string {
  try {
    return read(path);
  } catch (error) {
    // The secret itself may have been set by the name that is for its file.
    const { code } = error as NodeJS.ErrnoException;
    if (!path.includes('/')) throw new ConfigRefused(`${env}: the file cannot be read (${code})`);
    throw new ConfigRefused(`${env}: cannot read ${path}: ${fileWords(error as NodeJS.ErrnoException)}`);
  }
}
