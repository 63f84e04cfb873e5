import { bunRuntime } from './listen/bun.ts';
import { denoRuntime } from './listen/deno.ts';
import type { Runtime } from './listen/listener.ts';

/** What differs between the runtimes stands behind this. */
export const runtime: Runtime = typeof Bun === 'undefined' ? denoRuntime() : bunRuntime();
