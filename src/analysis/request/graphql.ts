const DOCUMENT =
  /^\s*(?:(?:query|mutation|subscription|fragment)\b[^{}]{0,2000}\{|\{\s{0,20}[A-Za-z_]\w{0,60}\s{0,5}(?:[({@:}]|\s[A-Za-z_]))/;
const STRING = /"((?:[^"\\\n]|\\.){1,2000})"/g;
const STRINGS_MAX = 50;

/** Whether a text is a GraphQL document, whose variables begin with a dollar sign and whose braces are not a template. */
export const isGraphQl = (text: string): boolean => DOCUMENT.test(text);

const QUERY =
  /"query"\s{0,5}:\s{0,5}"(?=(?:\\[nrt]|\s)*(?:query|mutation|subscription|fragment|\{))(?:[^"\\]|\\.)*"/;

/** Removes the GraphQL query of a JSON document, in which a dollar sign begins a variable, not an operator. */
export const withoutGraphQl = (document: string): string =>
  document.includes('"query"') ? document.replace(QUERY, '""') : document;

/** Aliases of a field that verifies a secret, which make one request try many values. */
const GUESS =
  /\b\w{1,30}\s{0,3}:\s{0,3}(?:log_?in|sign_?in|authenticate|verify\w{0,20}|check\w{0,20}|reset_?password|redeem\w{0,20}|token\w{0,10})\s{0,3}\(/gi;
const GUESSES_MIN = 5;
/** Excessive directives. */
const ENDLESS = /(?:@\w{1,30}\s{0,2}){10}/;

/** Whether one GraphQL query has the effect of many requests. */
export const isFlood = (document: string): boolean =>
  (document.match(GUESS)?.length ?? 0) >= GUESSES_MIN || ENDLESS.test(document);

/** XML-RPC methods with user name and password, which `system.multicall` can repeat in one request. */
const LOGIN_CALL =
  /<(?:value|string)>\s{0,20}(?:<string>)?\s{0,20}(?:wp|blogger|metaWeblog|mt)\.\w{3,40}\s{0,20}</g;
const LOGIN_CALLS_MIN = 3;

/** Whether an XML-RPC call contains several others with passwords. */
export const isManyLogins = (document: string): boolean =>
  document.includes('system.multicall') && (document.match(LOGIN_CALL)?.length ?? 0) >= LOGIN_CALLS_MIN;

/** The string arguments in a GraphQL document. */
export function textsIn(document: string): readonly string[] {
  const texts: string[] = [];
  for (const [, text = ''] of document.matchAll(STRING)) {
    if (texts.push(text.replace(/\\(.)/g, '$1')) >= STRINGS_MAX) break;
  }
  return texts;
}
