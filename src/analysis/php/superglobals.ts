import { setOf } from '../words.ts';

/** Arrays with request data. */
const FROM_REQUEST: ReadonlySet<string> = setOf(
  '_GET _POST _REQUEST _COOKIE HTTP_RAW_POST_DATA HTTP_GET_VARS HTTP_POST_VARS HTTP_COOKIE_VARS ' +
    'HTTP_REQUEST_VARS',
);
/** Arrays with uploaded files. */
export const UPLOADS: ReadonlySet<string> = new Set(['_FILES', 'HTTP_POST_FILES']);

const [MINUS, CAPITAL_H, LOW_LINE] = [45, 72, 95];

/** Whether a name is that of a property, which includes the arrow. */
export const isProperty = (name: string): boolean => name.charCodeAt(0) === MINUS && name.startsWith('->');

/** A quick test for these names, because every variable is looked up. */
function mayBeSuperglobal(name: string): boolean {
  const first = name.charCodeAt(0);
  return first === LOW_LINE || first === CAPITAL_H;
}

/** Whether a variable contains request data. */
export const isFromCaller = (name: string): boolean =>
  mayBeSuperglobal(name) && (FROM_REQUEST.has(name) || UPLOADS.has(name));

/** Whether a variable is a superglobal. */
export const isSuperglobal = (name: string): boolean =>
  isFromCaller(name) || name === '_SERVER' || name === 'HTTP_SERVER_VARS';
