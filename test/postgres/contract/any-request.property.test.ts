import { servedOnPostgres } from '../../support/on-postgres.ts';

servedOnPostgres();
await import('../../contract/any-request.property.test.ts?postgres' as string);
