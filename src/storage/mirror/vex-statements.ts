import type { DatabaseSync } from 'node:sqlite';
import type { VexStatement } from '../../domain/vulnerability/vex.ts';

/** A statement about a vulnerability, by its number in the snapshot. */
interface StatedRow extends VexStatement {
  readonly vulnerability: number;
}

const COLUMNS = `s.name as source, v.ecosystem, v.component as name, v.version, v.status, v.justification, v.impact,
  v.stated_at as statedAt`;

/** Reads suppliers' statements about components with some name, by the ids of the vulnerabilities. */
export function readStatements(
  client: DatabaseSync,
): (component: string) => ReadonlyMap<number, readonly VexStatement[]> {
  const select = client.prepare(`
    select distinct n.vulnerability, ${COLUMNS}
    from vex v join vulnerability_names n on n.name = v.cve join sources s on s.id = v.source where v.component = ?
  `);
  return (component) => {
    const rows = select.all(component) as unknown as StatedRow[];
    return Map.groupBy(rows, ({ vulnerability }) => vulnerability);
  };
}

/** Reads suppliers' statements about a vulnerability: newest first, up to a limit. */
export function readStatementsOn(
  client: DatabaseSync,
): (vulnerability: number, limit: number) => VexStatement[] {
  const select = client.prepare(`
    select distinct ${COLUMNS}
    from vulnerability_names n join vex v on v.cve = n.name join sources s on s.id = v.source
    where n.vulnerability = ? order by v.stated_at desc, s.name, v.ecosystem, v.component, v.version, v.status limit ?
  `);
  return (vulnerability, limit) => select.all(vulnerability, limit) as unknown as VexStatement[];
}
