/** Of either half of a record's digest. */
export const DIGEST_CHARACTERS = 11;

/**
 * The tables of a snapshot: a separate SQLite file, with either engine. It is built once and never changed, so it has no
 * migrations: one of another {@link SNAPSHOT_VERSION} is imported again.
 */
export const SNAPSHOT_TABLES = `
  create table sources (
    id integer primary key,
    name text not null unique,
    format text not null,
    records integer not null,
    published_at integer,
    imported_at integer not null,
    sha256 text not null,
    license text not null,
    attribution text not null,
    epss_model_version text,
    epss_median real,
    refused integer not null
  ) strict;
  -- body: what of a record no query asks for; digest: whether what it affects changed, then whether the rest did.
  create table records (
    id integer primary key,
    source integer not null,
    name text not null,
    aliases text not null,
    upstream text not null,
    modified_at integer,
    body text not null,
    digest text not null,
    vulnerability integer
  ) strict;
  create table affected (
    id integer primary key,
    record integer not null,
    ecosystem text not null,
    name text not null,
    body text not null
  ) strict;
  -- Of all that is affected, made when it is in: a server asks for them with every import.
  create table ecosystems (name text primary key) strict, without rowid;
  create table component_names (
    name_hash text not null,
    affected integer not null,
    primary key (name_hash, affected)
  ) strict, without rowid;
  create table enrichments (
    source integer not null,
    cve text not null,
    modified_at integer,
    severity text not null,
    ssvc text
  ) strict;
  create table exploited (
    source integer not null,
    cve text not null,
    catalogue text not null,
    since integer,
    ransomware integer not null
  ) strict;
  create table epss (
    source integer not null,
    cve text not null,
    probability real not null,
    percentile real not null
  ) strict;
  -- cve: a name of the vulnerability, also of other databases; version: null = all of them.
  create table vex (
    source integer not null,
    cve text not null,
    document text not null,
    revised_at integer not null,
    stated_at integer not null,
    ecosystem text not null,
    component text not null,
    version text,
    status text not null,
    justification text,
    impact text not null
  ) strict;
  -- What several sources say of the same; since when it is known here, and since when there is so little time: see stored-limits.ts.
  create table vulnerabilities (
    id integer primary key,
    name text not null,
    aliases text not null,
    cves text not null,
    known_since integer not null,
    limits text not null
  ) strict;
  create table vulnerability_names (name text primary key, vulnerability integer not null) strict, without rowid;
  -- Names that no vulnerability has any more, with what it had to remember: it may come back with the next import.
  create table gone_names (
    name text primary key,
    known_since integer not null,
    limits text not null,
    gone_at integer not null
  ) strict, without rowid;
`;

/** Created after the rows, which is faster. */
export const SNAPSHOT_INDEXES = `
  create unique index records_by_name on records (source, name);
  create index records_by_vulnerability on records (vulnerability);
  create index affected_by_record on affected (record);
  create index enrichments_by_cve on enrichments (cve);
  create index exploited_by_cve on exploited (cve);
  create index epss_by_cve on epss (cve);
  create index vex_by_cve on vex (cve);
  create index vex_by_component on vex (component);
`;

/** Version of the tables; in the file's user_version. */
export const SNAPSHOT_VERSION = 4;

/** The tables whose rows belong to a source, with the columns that a copy takes along. */
export const SOURCE_TABLES: Readonly<Record<string, string>> = {
  enrichments: 'source, cve, modified_at, severity, ssvc',
  exploited: 'source, cve, catalogue, since, ransomware',
  epss: 'source, cve, probability, percentile',
  vex: 'source, cve, document, revised_at, stated_at, ecosystem, component, version, status, justification, impact',
};
