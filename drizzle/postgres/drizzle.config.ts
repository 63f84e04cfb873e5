import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/storage/engine/postgres/schema.ts',
  out: './drizzle/postgres',
});
