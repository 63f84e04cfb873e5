import { servedOnPostgres } from '../../support/on-postgres.ts';

servedOnPostgres();
await import('../../contract/story.test.ts?postgres' as string);
