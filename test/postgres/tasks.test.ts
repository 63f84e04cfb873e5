import { onPostgres } from '../support/on-postgres.ts';

onPostgres('tasks');
