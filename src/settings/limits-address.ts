import { readFile } from '../lib/read-file.ts';
import { type Config, ConfigRefused } from './config.ts';
import { certificatesIn, isHostHere } from './database-address.ts';

const FORM =
  'Use redis://user:password@host:6379/0, rediss:// for TLS, or unix:///run/valkey/valkey.sock?db=0&user=name&password=word';
const DEFAULT_PORT = 6379;
const OF_SOCKET: readonly string[] = ['db', 'user', 'password'];

/** The address of a Valkey or Redis server, and how to connect to it. */
export interface LimitsAddress {
  /** A host and a port, or the path of a Unix socket. */
  readonly at: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly user?: string;
  readonly password?: string;
  /** The database number. */
  readonly db: number;
  /** With TLS, the certificate must be valid for the host. */
  readonly tls?: { readonly ca?: string; readonly rejectUnauthorized: true };
  /** Whether connections cross a network without TLS. */
  readonly isInClear: boolean;
}

/**
 * The address of the server that counts rate limits for all nodes.
 *
 * @returns undefined if none is configured
 * @throws ConfigRefused
 */
export function limitsAddress(
  { limitsUrl, limitsCa }: Pick<Config, 'limitsUrl' | 'limitsCa'>,
  read = readFile,
): LimitsAddress | undefined {
  if (limitsUrl === undefined) return undefined;
  return serverAddress(
    limitsUrl,
    limitsCa === undefined ? undefined : certificatesIn('SERVICE_LIMITS_CA', limitsCa, read),
  );
}

/**
 * Parses the URL of the server.
 *
 * @param ca trusted CA certificates in PEM; undefined = those of the system
 * @throws ConfigRefused, without any part of the URL
 */
export function serverAddress(url: string, ca?: string): LimitsAddress {
  const parsed = URL.parse(url);
  const protocol = parsed?.protocol;
  if (ca !== undefined && protocol !== 'rediss:')
    throw new ConfigRefused('SERVICE_LIMITS_CA requires a SERVICE_LIMITS_URL that starts with rediss://');
  if (parsed && protocol === 'unix:') return socketAddress(parsed);
  if (!parsed || (protocol !== 'redis:' && protocol !== 'rediss:'))
    throw malformed('it is not a Valkey or Redis URL');
  const { hostname, port, username, password, pathname, search, hash } = parsed;
  if (hostname === '') throw malformed('it has no host');
  if (search !== '' || hash !== '') throw malformed('it has parameters');
  const hasTls = protocol === 'rediss:';
  return {
    at: { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? DEFAULT_PORT : Number(port) },
    ...identity(decoded(username), decoded(password)),
    db: database(pathname.slice(1)),
    ...(hasTls
      ? { tls: ca === undefined ? { rejectUnauthorized: true } : { ca, rejectUnauthorized: true } }
      : {}),
    isInClear: !hasTls && !isHostHere(hostname),
  };
}

function socketAddress({ hostname, pathname, searchParams, hash }: URL): LimitsAddress {
  const path = decoded(pathname);
  if (hostname !== '' || path === '' || path.endsWith('/') || hash !== '')
    throw malformed('it lacks the full path of a socket');
  for (const name of searchParams.keys())
    if (!OF_SOCKET.includes(name)) throw malformed('it has parameters other than db, user and password');
  return {
    at: { path },
    ...identity(searchParams.get('user') ?? '', searchParams.get('password') ?? ''),
    db: database(searchParams.get('db') ?? ''),
    isInClear: false,
  };
}

function identity(user: string, password: string): Pick<LimitsAddress, 'user' | 'password'> {
  if (user !== '' && password === '') throw malformed('it has a user but no password');
  return { ...(user === '' ? {} : { user }), ...(password === '' ? {} : { password }) };
}

function database(text: string): number {
  if (!/^\d{0,5}$/.test(text)) throw malformed('its database is not a number');
  return Number(text);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw malformed('it has a malformed percent escape');
  }
}

const malformed = (why: string): ConfigRefused =>
  new ConfigRefused(`SERVICE_LIMITS_URL is malformed: ${why}. ${FORM}`);
