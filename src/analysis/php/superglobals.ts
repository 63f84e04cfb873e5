/** Arrays in which PHP gives what the caller sends. */
const FROM_REQUEST: ReadonlySet<string> = new Set([
  '_GET',
  '_POST',
  '_REQUEST',
  '_COOKIE',
  'HTTP_RAW_POST_DATA',
  'HTTP_GET_VARS',
  'HTTP_POST_VARS',
  'HTTP_COOKIE_VARS',
  'HTTP_REQUEST_VARS',
]);
/** Arrays in which it gives files that the caller sends. */
export const UPLOADS: ReadonlySet<string> = new Set(['_FILES', 'HTTP_POST_FILES']);

/** Whether a name begins as these do, which few names do: every variable that is read is looked up here. */
const beginsSo = (name: string): boolean => name[0] === '_' || name[0] === 'H';

/** Whether a variable holds what the caller sends. */
export const isFromCaller = (name: string): boolean =>
  beginsSo(name) && (FROM_REQUEST.has(name) || UPLOADS.has(name));

/** Whether PHP sets a variable, and it means the same in every function. */
export const isSuperglobal = (name: string): boolean =>
  isFromCaller(name) || name === '_SERVER' || name === 'HTTP_SERVER_VARS';
