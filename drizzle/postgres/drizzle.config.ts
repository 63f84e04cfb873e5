import { mkdirSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'drizzle-kit';
import { getTableName } from 'drizzle-orm';
import { TABLES } from '../../src/storage/subjects.ts';

// drizzle-kit takes tables only as the exports of a module, which PostgreSQL's twins of SQLite's are not.
const MODULE = './dist/postgres-tables.ts';
mkdirSync('./dist', { recursive: true });
writeFileSync(
  MODULE,
  `import { postgresTable } from '../src/storage/engine/postgres/columns.ts';
import { TABLES } from '../src/storage/subjects.ts';
export const [${TABLES.map(getTableName).join(', ')}] = TABLES.map(postgresTable);
`,
);

export default defineConfig({
  dialect: 'postgresql',
  schema: MODULE,
  out: './drizzle/postgres',
});
