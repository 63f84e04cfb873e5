import { contractOnPostgres } from '../../support/on-postgres.ts';

contractOnPostgres(3);
