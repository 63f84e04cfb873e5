import { servedOnPostgres } from '../../support/on-postgres.ts';

servedOnPostgres();
await import('../../contract/openapi.test.ts?postgres' as string);
