import { transactionsOnPostgres } from '../../support/on-postgres.ts';

transactionsOnPostgres();
