import { userInfo } from 'node:os';
import { fileWords } from '../lib/file-trouble.ts';
import { type ReadFile, readFile } from '../lib/read-file.ts';
import { type Config, ConfigRefused } from './config.ts';

/** The setting with the address; named in errors unless the address came from elsewhere. */
export const DATABASE_SETTING = 'SERVICE_DATABASE_URL';
const FORM = 'Use postgres://user:password@host:5432/database, or postgres:///database?host=/run/postgresql';
const DEFAULT_PORT = 5432;
const LOOPBACK = /^(?:localhost|127(?:[.]\d{1,3}){3}|\[::1\])$/;

/** The address of a PostgreSQL database, and how to connect to it. */
export interface PostgresAddress {
  /** A name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** False = without TLS. With TLS, the certificate must be valid for the host. */
  readonly ssl: false | { readonly ca?: string; readonly rejectUnauthorized: true };
  /** The name of the connections in the server's list. */
  readonly application_name: 'redoubt';
}

/**
 * The address of the database in the settings.
 *
 * @returns undefined for the embedded database in the data directory
 * @throws ConfigRefused
 */
export function databaseAddress(
  { databaseUrl, databaseCa }: Pick<Config, 'databaseUrl' | 'databaseCa'>,
  read = readFile,
): PostgresAddress | undefined {
  if (databaseUrl === undefined) return undefined;
  return postgresAddress(
    databaseUrl,
    databaseCa === undefined ? undefined : certificatesIn('SERVICE_DATABASE_CA', databaseCa, read),
  );
}

/** @throws ConfigRefused that names the setting */
export function certificatesIn(setting: string, path: string, read: ReadFile): string {
  try {
    return read(path);
  } catch (error) {
    throw new ConfigRefused(`${setting}: cannot read ${path}: ${fileWords(error as NodeJS.ErrnoException)}`);
  }
}

/** Whether the host of a URL is this host, so that connections use no network. */
export const isHostHere = (hostname: string): boolean => LOOPBACK.test(hostname);

/**
 * Parses a database URL. Unless the host is this one, connections require TLS with a certificate valid for the host.
 *
 * @param ca trusted CA certificates in PEM; undefined = those of the system
 * @param named the setting or option with the URL, for errors
 * @throws ConfigRefused, without any part of the URL
 */
export function postgresAddress(url: string, ca?: string, named = DATABASE_SETTING): PostgresAddress {
  const malformed = (why: string) => new ConfigRefused(`${named} is malformed: ${why}. ${FORM}`);
  const decoded = (part: string): string => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw malformed('it has a malformed percent escape');
    }
  };
  const parsed = URL.parse(url);
  if (!parsed || !/^postgres(?:ql)?:$/.test(parsed.protocol)) throw malformed('it is not a PostgreSQL URL');
  const { hostname, port, username, password, pathname, searchParams } = parsed;
  const database = decoded(pathname.slice(1));
  if (database === '' || database.includes('/')) throw malformed('it has no database');
  for (const name of searchParams.keys())
    if (name !== 'host' && name !== 'user')
      throw malformed('it has parameters other than user, and host with the directory of a socket');
  const socket = searchParams.get('host');
  if (socket !== null && !socket.startsWith('/')) throw malformed('its parameter host is not a directory');
  if (hostname === '' && socket === null) throw malformed('it has no host');
  const address = {
    host: socket ?? hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? DEFAULT_PORT : Number(port),
    user: decoded(username) || searchParams.get('user') || userInfo().username,
    database,
    application_name: 'redoubt' as const,
    ...(password === '' ? {} : { password: decoded(password) }),
  };
  const isOnThisHost = socket !== null || isHostHere(hostname);
  if (isOnThisHost && ca === undefined) return { ...address, ssl: false };
  return {
    ...address,
    ssl: ca === undefined ? { rejectUnauthorized: true } : { ca, rejectUnauthorized: true },
  };
}
