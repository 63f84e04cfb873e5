import { bunRuntime } from './bun.ts';
import { denoRuntime } from './deno.ts';
import type { Runtime } from './listener.ts';

/** What differs between the runtimes stands behind this. */
export const runtime: Runtime = typeof Bun === 'undefined' ? denoRuntime() : bunRuntime();
