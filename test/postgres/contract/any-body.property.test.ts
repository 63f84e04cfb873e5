import { servedOnPostgres } from '../../support/on-postgres.ts';

servedOnPostgres();
await import('../../contract/any-body.property.test.ts?postgres' as string);
