import { bunRuntime } from './bun.ts';
import { denoRuntime } from './deno.ts';
import type { Runtime } from './listener.ts';

/** All differences between the runtimes are behind this interface. */
export const runtime: Runtime = typeof Bun === 'undefined' ? denoRuntime() : bunRuntime();
