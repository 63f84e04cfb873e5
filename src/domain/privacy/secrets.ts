/** A JWT or JWE in compact form: base64url of `{"`, then at least one more part. */
export const hasJwt = (text: string): boolean => jwtFrom(text, 0) !== undefined;

/** Where the first one from a place on begins. */
export function jwtFrom(text: string, from: number): number | undefined {
  for (let at = text.indexOf(JOSE_START, from); at >= 0; ) {
    let end = at;
    while (isBase64Url(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end) === 0x2e && end - at >= JOSE_PART_MIN) {
      let next = end + 1;
      while (next - end <= JOSE_PART_MIN && isBase64Url(text.charCodeAt(next))) next++;
      if (next - end > JOSE_PART_MIN) return at;
    }
    at = text.indexOf(JOSE_START, Math.max(end, at + 1));
  }
  return undefined;
}

/** A PEM or PGP block, SSH2's form of it, or a PuTTY key file: by the line that begins or ends it. */
export const hasPemBlock = (text: string): boolean => PEM.test(text);

/** A public or private SSH key, by the constant first bytes of its base64 blob. */
export const hasSshKey = (text: string): boolean => SSH_BLOB.test(text);

/** A URL of a database, queue, mail or directory service: it names a host, and most often a login. */
export const hasConnectionUrl = (text: string): boolean => CONNECTION_URL.test(text);

/** The pairs of names and values that ODBC, ADO.NET and libpq connect with. */
export const hasConnectionPairs = (text: string): boolean => CONNECTION_PAIRS.test(text);

/** `password=...`, `AccountKey=...`, `token=...`, `Authorization: Bearer ...`: a secret with its name. */
export const hasNamedSecret = (text: string): boolean =>
  NAMED_SECRET.test(text) || SHORT_NAMED_SECRET.test(text) || AUTH_SCHEME.test(text);

/** `scheme://user@host` or `scheme://user:password@host`. */
export function hasUrlLogin(text: string): boolean {
  for (let at = text.indexOf('://'); at >= 0; ) {
    let end = at + 3;
    while (end < text.length && !AUTHORITY_END.has(text.charAt(end))) {
      if (text.charAt(end) === '@') return true;
      end++;
    }
    at = text.indexOf('://', end);
  }
  return false;
}

const isBase64Url = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2d ||
  code === 0x5f;

const JOSE_START = 'eyJ';
const JOSE_PART_MIN = 10;
const PEM = /-{4,5} ?(?:BEGIN|END)[ \t_][A-Z0-9]|PuTTY-User-Key-File-/i;
const SSH_BLOB = /AAAA(?:[BC]3NzaC1|E2VjZHNh|GnNrLX|InNrLW)|b3BlbnNzaC1rZXkt/;
const SCHEMES = (
  'postgres postgresql mysql mysqlx mariadb mongodb redis rediss valkey amqp amqps mssql sqlserver ' +
  'oracle clickhouse cockroachdb cassandra couchbase couchbases neo4j bolt nats kafka mqtt mqtts ' +
  'memcached elasticsearch etcd influxdb snowflake hdfs ldap ldaps smtp smtps imap imaps ftp ftps sftp ssh ' +
  'scp smb nfs rsync svn telnet vnc rdp s3 gs sqlite'
).split(' ');
const CONNECTION_URL = new RegExp(
  `(?<![a-z0-9])(?:jdbc:[a-z0-9]{2,20}:|(?:${SCHEMES.join('|')})(?:\\+[a-z0-9]{1,12})?://)`,
  'i',
);
/** Names of secrets as configurations and headers have them, as sources of patterns. */
export const SECRET_NAMES: readonly string[] = (
  'password passwd passwort pwd passphrase secret secret_?key access_?key account_?key api_?key ' +
  'private_?key sharedaccesskey sharedaccesssignature auth_?token access_?token refresh_?token ' +
  'client_?secret set-cookie authorization'
).split(' ');
const NAMED_SECRET = new RegExp(
  `(?:${SECRET_NAMES.join('|')})["']?[ \\t]{0,3}(?:=>|:=|[:=])[ \\t]{0,3}["']?[^\\s"',;=:]`,
  'i',
);
const CONNECTION_PAIRS = /\b(?:data source|initial catalog|dbname) ?=/i;
const SHORT_NAMED_SECRET =
  /(?<![a-z])(?:pass|pw|pin|passcode|token|cookie|sess(?:ion)?_?id|phpsessid|user(?:name|_?id)|uid)=[^\s"',;=:]/i;
const AUTH_SCHEME = /\b(?:bearer|basic) [A-Za-z0-9._~+/-]{8}/i;
const AUTHORITY_END: ReadonlySet<string> = new Set('/?#\\ \t\n\r"\'<>');
