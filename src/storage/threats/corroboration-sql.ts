import type { Engine } from '../engine/dialect.ts';

/** The statements that compute the feed, on one connection and in one transaction. */
interface CorroborationSql {
  /** Creates a table of customers by license, for this connection only: threat_reports has no index by license. */
  readonly noVouchers: string;
  /** Adds rows: its parameter is a list of pairs of a license and a customer, in JSON. */
  readonly addVouchers: string;
  /**
   * The threats with enough reporters, each with the attack type of its newest report, or of the only installation that
   * reported it. Beyond the limit, only the selected ones are sorted by their fingerprints.
   */
  readonly threats: string;
}

const sqlite: CorroborationSql = {
  noVouchers: `
    create temp table if not exists vouchers (license_id integer primary key, customer integer not null) strict;
    delete from temp.vouchers;
  `,
  addVouchers: 'insert into temp.vouchers select value ->> 0, value ->> 1 from json_each(?)',
  /**
   * The reports are read once, in the order of their key, so that groups need no sorting; only the requested number of groups
   * is kept. A ruling is looked up once for each group that would be in the feed. SQLite takes bare columns from the row of
   * max().
   */
  threats: `
    with imported as materialized (
      select fingerprint, min(attack_type) as attack_type, sum(weight) as weight, max(imported_at) as imported_at
      from imported_threats join feed_trusts on feed_trusts.id = trust_id where expires_at > :now group by fingerprint
    ), reported as (
      select fingerprint, attack_type as attackType, count(distinct customer) as customers,
        max(last_reported_at) as reportedAt
      from threat_reports not indexed cross join temp.vouchers using (license_id)
      where last_reported_at > :since group by fingerprint
    ), vouched as (
      select fingerprint, attackType, customers,
        customers + coalesce((select weight from imported where imported.fingerprint = reported.fingerprint), 0) as voices,
        reportedAt
      from reported
      union all
      select fingerprint, attack_type, 0, weight, imported_at from imported where weight >= :minCorroboration
        and not exists (
          select 1 from threat_reports join temp.vouchers using (license_id)
          where threat_reports.fingerprint = imported.fingerprint and last_reported_at > :since
        )
    )
    select fingerprint, attackType, customers, voices from (
      select * from vouched
      where voices >= :minCorroboration and fingerprint not in (select fingerprint from feed_rulings)
      order by customers >= :minCorroboration desc, voices desc, reportedAt desc, fingerprint limit :entriesMax
    ) order by fingerprint
  `,
};

const postgres: CorroborationSql = {
  noVouchers: `
    create temp table vouchers (license_id bigint primary key, customer bigint not null) on commit drop;
  `,
  addVouchers:
    'insert into vouchers select (value ->> 0)::bigint, (value ->> 1)::bigint from json_array_elements(?::json)',
  threats: `
    with imported as materialized (
      select fingerprint, min(attack_type) as attack_type, sum(weight)::bigint as weight, max(imported_at) as imported_at
      from imported_threats join feed_trusts t on t.id = trust_id where expires_at > :now group by fingerprint
    ), reported as materialized (
      select r.fingerprint, (array_agg(attack_type order by last_reported_at desc, r.license_id))[1] as attack_type,
        count(distinct customer) as customers, max(last_reported_at) as reported_at
      from threat_reports r join vouchers using (license_id)
      where last_reported_at > :since group by r.fingerprint
    ), vouched as (
      select fingerprint, coalesce(r.attack_type, i.attack_type) as attack_type, coalesce(customers, 0) as customers,
        coalesce(customers, 0) + coalesce(weight, 0) as voices, coalesce(reported_at, imported_at) as reported_at
      from reported r full join imported i using (fingerprint)
    )
    select fingerprint, attack_type as "attackType", customers, voices from (
      select * from vouched v
      where voices >= :minCorroboration and not exists (select 1 from feed_rulings f where f.fingerprint = v.fingerprint)
      order by customers >= :minCorroboration desc, voices desc, reported_at desc, fingerprint limit :entriesMax
    ) as most order by fingerprint
  `,
};

export const CORROBORATION_SQL: Readonly<Record<Engine, CorroborationSql>> = { sqlite, postgres };
