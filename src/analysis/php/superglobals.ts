import { setOf } from '../words.ts';

/** Arrays in which PHP gives what the caller sends. */
const FROM_REQUEST: ReadonlySet<string> = setOf(
  '_GET _POST _REQUEST _COOKIE HTTP_RAW_POST_DATA HTTP_GET_VARS HTTP_POST_VARS HTTP_COOKIE_VARS ' +
    'HTTP_REQUEST_VARS',
);
/** Arrays in which it gives files that the caller sends. */
export const UPLOADS: ReadonlySet<string> = new Set(['_FILES', 'HTTP_POST_FILES']);

const [MINUS, CAPITAL_H, LOW_LINE] = [45, 72, 95];

/** Whether a name is that of a property, with the arrow before it. */
export const isProperty = (name: string): boolean => name.charCodeAt(0) === MINUS && name.startsWith('->');

/** Whether a name begins as these do, which few names do: every variable that is read is looked up here. */
function beginsSo(name: string): boolean {
  const first = name.charCodeAt(0);
  return first === LOW_LINE || first === CAPITAL_H;
}

/** Whether a variable holds what the caller sends. */
export const isFromCaller = (name: string): boolean =>
  beginsSo(name) && (FROM_REQUEST.has(name) || UPLOADS.has(name));

/** Whether PHP sets a variable, and it means the same in every function. */
export const isSuperglobal = (name: string): boolean =>
  isFromCaller(name) || name === '_SERVER' || name === 'HTTP_SERVER_VARS';
