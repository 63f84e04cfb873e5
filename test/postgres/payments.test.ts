import { onPostgres } from '../support/on-postgres.ts';

onPostgres('payments');
