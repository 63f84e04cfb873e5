import { servedOnPostgres } from '../../support/on-postgres.ts';

servedOnPostgres();
await import('../../contract/scores.test.ts?postgres' as string);
