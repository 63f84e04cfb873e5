import { type Static, type TObject, Type } from 'typebox';
import { Check } from 'typebox/value';
import { BackupRefused } from './backup-refused.ts';

/** The first member of a backup, which lists all others. */
export const MANIFEST_FILE = 'manifest.json';
export const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;
/** Of a member that a restore reads as a whole. */
const TEXT_BYTES_MAX = 1024 * 1024;
const FORMAT = 'redoubt-backup/1';

/** Names of the members of a backup. */
export const DATABASE_MEMBER = 'redoubt.sqlite';
export const KEY_MEMBER = 'installation.key';
export const SETTINGS_MEMBER = 'settings.env';
export const SIGNING_FOLDER = 'signing/';

const NAME =
  /^(redoubt[.]sqlite|installation[.]key|settings[.]env|signing\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,90})$/;

/** Whether a name is valid for a member of a backup. */
export const isMemberName = (name: string): boolean => NAME.test(name);

const count = Type.Integer({ minimum: 0 });
const Member = Type.Object({
  name: Type.String({ pattern: NAME.source }),
  bytes: count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

/** A PostgreSQL database, whose rows are not in the backup. */
const DatabaseElsewhere = Type.Object({
  engine: Type.Literal('postgresql'),
  /** Of its server. */
  version: Type.String({ maxLength: 100 }),
  name: Type.String({ maxLength: 100 }),
  /** Of the installation.key used with it. */
  key_fingerprint: Type.String({ minLength: 1, maxLength: 100 }),
});

const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  /** ISO 8601; the moment of the database's state. */
  created_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.]\\d{3}Z$' }),
  /** Of the program that created it. */
  version: Type.String({ maxLength: 100 }),
  commit: Type.String({ maxLength: 100 }),
  /** Number of migrations of the database. */
  schema_version: Type.Integer({ minimum: 1 }),
  /** Absent if the backup contains the database. */
  database: Type.Optional(DatabaseElsewhere),
  /** Rows by table; empty for a database outside the backup. */
  counts: Type.Record(Type.String({ maxLength: 100 }), count),
  /** The snapshots of vulnerability data at that time; they are not in the backup. */
  mirror: Type.Object({
    current: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
    kept: Type.Array(
      Type.Object({ id: Type.String({ maxLength: 100 }), imported_at: Type.String({ maxLength: 100 }) }),
    ),
  }),
  members: Type.Array(Member, { minItems: 1, maxItems: 10_000 }),
});

export type Manifest = Static<typeof ManifestSchema>;
export type DatabaseElsewhere = Static<typeof DatabaseElsewhere>;
export type ManifestMember = Static<typeof Member>;
export type NewManifest = Omit<Manifest, 'format' | 'members'>;

export const manifestBytes = (manifest: NewManifest, members: readonly ManifestMember[]): Buffer =>
  Buffer.from(`${JSON.stringify({ format: FORMAT, ...manifest, members }, null, 2)}\n`);

/**
 * Reads a manifest.
 *
 * @param latest number of migrations of this binary
 * @throws BackupRefused
 */
export function manifestIn(bytes: Uint8Array, latest: number): Manifest {
  const found = jsonIn(bytes);
  if (isOf(Type.Object({ format: Type.String({ pattern: '^redoubt-backup/[1-9][0-9]*$' }) }), found)) {
    if (found.format !== FORMAT) throw newer();
    if (isOf(Type.Object({ schema_version: Type.Integer({ exclusiveMinimum: latest }) }), found))
      throw newer();
  }
  if (!isOf(ManifestSchema, found)) throw notOurs();
  const names = new Set(found.members.map(({ name }) => name));
  if (names.size !== found.members.length) throw notOurs();
  if (names.has(DATABASE_MEMBER) !== (found.database === undefined)) throw notOurs();
  const texts = found.members.filter(({ name }) => name === KEY_MEMBER || name === SETTINGS_MEMBER);
  if (texts.some(({ bytes }) => bytes > TEXT_BYTES_MAX)) throw notOurs();
  return found;
}

export const notOurs = () =>
  new BackupRefused('it is not a backup of redoubt. Check that it is the right file');

const newer = () => new BackupRefused('it was created by a newer redoubt. Use that version, or a newer one');

const isOf = <Schema extends TObject>(schema: Schema, value: unknown): value is Static<Schema> =>
  Check(schema, value);

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
