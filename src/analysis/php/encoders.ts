import { setOf } from '../words.ts';
import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

/** Functions that the stubs of ionCube and SourceGuardian call before the encoded code. */
const OF_STUB = setOf(
  'extension_loaded function_exists dl _il_exec sg_load die exit echo strtolower substr substr_count str_replace str_repeat ' +
    'php_uname phpversion php_sapi_name realpath ini_get dirname basename file_exists is_dir strlen explode count constant ' +
    'defined version_compare',
);
const LOADER = /^(?:ioncube loader|sourceguardian)$/i;
/** Encoded code, and nothing else. */
const ENCODED = /^[\sA-Za-z\d+/=]*$/;

/** Reports the stub of a commercial encoder that is followed only by encoded code. */
export function judgeEncoder(walk: Walk, tokens: readonly PhpToken[]): void {
  const named = tokens.find(({ kind, text }) => kind === 'string' && LOADER.test(text));
  if (named === undefined || walk.facts.has('readsRequest') || walk.facts.has('runsCode')) return;
  const isStub = [...walk.calls.keys()].every((name) => OF_STUB.has(name));
  const isEncoded = tokens.every(({ kind, text }) => kind !== 'html' || ENCODED.test(text));
  if (isStub && isEncoded) walk.report(PHP.encodedByVendor, named.at);
}
