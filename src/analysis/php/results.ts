import { OF_WHOLE, ORIGIN } from '../origin.ts';
import { argumentVariable } from './arguments.ts';
import { DECODERS } from './fold.ts';
import { DECODES, FETCHES, LOOKS_FOR, PASSES_ON, READS_FILE, REQUEST_FUNCTIONS } from './functions.ts';
import { isUrl } from './operators.ts';
import { from, originsOfAll, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** The origins of a built-in function's result that cannot be evaluated. */
export function resultOrigins(walk: Walk, name: string, args: readonly Value[]): number {
  if (!HAS_RULE.has(name)) return ORIGIN.none;
  const searched = LOOKS_FOR[name];
  const kept = searched === undefined ? args : args.filter((_, position) => position !== searched);
  const passed = (originsOfAll(kept) & ~(ORIGIN.assembled | OF_WHOLE)) | claimedAddress(kept);
  if (DECODES.has(name) || Object.hasOwn(DECODERS, name)) {
    const decodes =
      name !== 'strtr' &&
      name !== 'pack' &&
      name !== 'html_entity_decode' &&
      name !== 'htmlspecialchars_decode';
    return decodes ? passed | ORIGIN.decoded : passed;
  }
  // In a function, these are its local variables.
  if (name === 'get_defined_vars' && walk.scope !== '') return passed;
  // Session ids cannot contain a path; code in them is encoded.
  if (name === 'session_id') return ORIGIN.decoded;
  if (REQUEST_FUNCTIONS.has(name)) return ORIGIN.request;
  // Output with request data is normal, but running it is not.
  if (TAKES_PRINTED.has(name)) return walk.observed.printed & ORIGIN.request ? ORIGIN.cleaned : ORIGIN.none;
  if (FETCHES.has(name)) return ORIGIN.remote | ORIGIN.markup;
  if (name === 'print_r' || name === 'var_export') return args[1]?.text ? passed : ORIGIN.none;
  if (name === 'dns_get_record') return asksForText(walk) ? ORIGIN.remote | ORIGIN.partial : ORIGIN.none;
  if (CONNECTS.has(name)) return isWebPort(args) ? ORIGIN.remote | ORIGIN.markup : ORIGIN.none;
  // Metadata of pictures is not visible in editors.
  if (name === 'exif_read_data' || name === 'read_exif_data') return ORIGIN.decoded;
  if (READS_FILE.has(name)) return readOrigins(args[0], passed);
  if (ENCODES.has(name)) return passed & ORIGIN.request ? passed | ORIGIN.encoded : passed;
  if (name === 'ini_get' || name === 'getenv') return getenvOrigin(args[0]);
  if (name === 'json_encode') return passed | ORIGIN.json;
  if (name === 'json_decode') return passed & ~ORIGIN.markup;
  if (CLEANS.has(name)) return passed & ORIGIN.request ? ORIGIN.cleaned : passed & ORIGIN.cleaned;
  if (ESCAPES.has(name)) return passed | ORIGIN.escaped;
  if (FLATTENS.has(name) || (name === 'preg_replace' && KEEPS_ONLY.test(args[0]?.text ?? '')))
    return passed | ORIGIN.flat;
  return PASSES_ON.has(name) ? passed : ORIGIN.none;
}

/** A text counts as the claimed address if nothing else in it comes from the request. */
const claimedAddress = (parts: readonly Value[]): number =>
  parts.every(({ origins }) => !(origins & ORIGIN.request) || origins & ORIGIN.address)
    ? originsOfAll(parts) & ORIGIN.address
    : 0;

/** Functions that sanitise for a page or a query, but not for a command. */
const CLEANS = new Set(['sanitize_text_field', 'sanitize_textarea_field', 'wp_strip_all_tags']);

const TAKES_PRINTED = new Set(['ob_get_clean', 'ob_get_contents', 'ob_get_flush']);
const ESCAPES = new Set(['htmlentities', 'htmlspecialchars', 'esc_html', 'esc_attr', 'esc_textarea']);
/** A pattern that removes all but some characters, which do not include path separators. */
const KEEPS_ONLY = /^([/#~@])\[\^[^\]/]+\]\+?\1[a-z]*$/;
/** Functions of WordPress and PHP that remove path separators. */
const FLATTENS = new Set(['sanitize_file_name', 'sanitize_title', 'basename']);

const getenvOrigin = (name: Value | undefined): number =>
  /^(?:HTTP_(?!PROXY)|QUERY_STRING)/.test(name?.text ?? '') ? ORIGIN.request : ORIGIN.none;

const CONNECTS = new Set(['fsockopen', 'pfsockopen', 'stream_socket_client']);
const WEB_PORT = /(?:^|:)(?:80|443)$/;
const isWebPort = (args: readonly Value[]): boolean =>
  args.slice(0, 2).some(({ text }) => WEB_PORT.test(text?.slice(-6) ?? ''));

/** Tokens searched for the record type of a DNS query. */
const QUESTION_TOKENS_MAX = 8;

/** Whether a DNS query is for TXT records, the only ones with arbitrary content. */
const asksForText = (walk: Walk): boolean =>
  walk.tokens
    .slice(Math.max(0, walk.position - QUESTION_TOKENS_MAX), walk.position)
    .some(({ kind, text }) => kind === 'name' && text === 'dns_txt');

/** Public-key encryption stores its result in the second argument. */
export function assignEncrypted(walk: Walk, [data]: readonly Value[]): void {
  const result = argumentVariable(walk, 1);
  if (result !== undefined && data && data.origins & ORIGIN.request)
    walk.assign(result, from(data.origins | ORIGIN.encoded));
}

/** Encodings that hide content; programs do not need them for their own files. */
const ENCODES = new Set(
  'base64_encode bin2hex gzcompress gzdeflate gzencode openssl_encrypt mcrypt_encrypt convert_uuencode'.split(
    ' ',
  ),
);

/** Functions with a rule above; most calls are to others. */
const HAS_RULE: ReadonlySet<string> = new Set([
  ...DECODES,
  ...Object.keys(DECODERS),
  ...REQUEST_FUNCTIONS,
  ...FETCHES,
  ...CONNECTS,
  ...READS_FILE,
  ...ENCODES,
  ...CLEANS,
  ...ESCAPES,
  ...PASSES_ON,
  ...TAKES_PRINTED,
  ...'session_id print_r var_export dns_get_record exif_read_data read_exif_data'.split(' '),
  ...'ini_get getenv json_encode json_decode preg_replace'.split(' '),
  ...['sanitize_file_name', 'sanitize_title'],
]);

/** The origins of a file's content. Remote content does not come from the caller, even if a part of the URL does. */
function readOrigins(path: Value | undefined, passed: number): number {
  const isAsked = path !== undefined && isUrl(path) && !(passed & ORIGIN.leading);
  return (isAsked ? passed & ~(ORIGIN.request | ORIGIN.partial) : passed) | fileOrigin(path);
}

function fileOrigin(path: Value | undefined): number {
  const text = path?.text ?? '';
  if (/^php:\/\/(?:input|stdin)/i.test(text)) return ORIGIN.request;
  if (path && isUrl(path)) return ORIGIN.remote | ORIGIN.markup;
  return ORIGIN.file;
}
