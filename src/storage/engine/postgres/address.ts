import { userInfo } from 'node:os';
import { ConfigRefused } from '../../../settings/config.ts';
import type { PostgresAddress } from './database.ts';

const FORM =
  'write it as postgres://user:password@host:5432/database, or postgres:///database?host=/run/postgresql';
const DEFAULT_PORT = 5432;
const LOOPBACK = /^(?:localhost|127(?:[.]\d{1,3}){3}|\[::1\])$/;

/**
 * Reads where a database is. It is reached by TLS, with a certificate that is its host's own, unless it is on this host.
 *
 * @param ca in PEM: whose certificates are trusted; undefined = the system's
 * @throws ConfigRefused, which repeats nothing of the URL
 */
export function postgresAddress(url: string, ca?: string): PostgresAddress {
  const parsed = URL.parse(url);
  if (!parsed || !/^postgres(?:ql)?:$/.test(parsed.protocol)) throw malformed('it is no URL of PostgreSQL');
  const { hostname, port, username, password, pathname, searchParams } = parsed;
  const database = decoded(pathname.slice(1));
  if (database === '' || database.includes('/')) throw malformed('it names no database');
  for (const name of searchParams.keys())
    if (name !== 'host' && name !== 'user')
      throw malformed('the only parameters that it may have are host, a directory with a socket, and user');
  const socket = searchParams.get('host');
  if (socket !== null && !socket.startsWith('/')) throw malformed('the parameter host is no directory');
  if (hostname === '' && socket === null) throw malformed('it names no host');
  const address = {
    host: socket ?? hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? DEFAULT_PORT : Number(port),
    user: decoded(username) || searchParams.get('user') || userInfo().username,
    database,
    application_name: 'redoubt',
    ...(password === '' ? {} : { password: decoded(password) }),
  };
  const isOnThisHost = socket !== null || LOOPBACK.test(hostname);
  if (isOnThisHost && ca === undefined) return { ...address, ssl: false };
  return {
    ...address,
    ssl: ca === undefined ? { rejectUnauthorized: true } : { ca, rejectUnauthorized: true },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw malformed('it has a malformed percent escape');
  }
}

const malformed = (why: string): ConfigRefused =>
  new ConfigRefused(`SERVICE_DATABASE_URL is malformed: ${why}; ${FORM}`);
