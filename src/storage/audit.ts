import type { Database } from './database.ts';
import { auditLog } from './schema.ts';

/** Something an operator or the service did. `detail` never holds a key or personal data. */
export interface AuditEntry {
  readonly at: number;
  readonly actor: 'cli' | 'service';
  readonly action: string;
  readonly licenseId: number | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export function auditJobs(db: Database) {
  return {
    audit(entry: AuditEntry): void {
      db.insert(auditLog).values(entry).run();
    },
  };
}
