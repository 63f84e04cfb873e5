import { ORIGIN } from '../origin.ts';
import { isInstaller } from '../shell-commands.ts';
import type { Signal } from '../signal.ts';
import { judgeCookie, judgeNewPassword, judgeNewUser, noteFirstUser } from './accounts.ts';
import { argumentEnds, argumentVariable, tokensFrom } from './arguments.ts';
import { judgeCallback, judgeHandlers } from './callbacks.ts';
import { judgeCardSent } from './cards.ts';
import { noteDelete, noteRename, noteTouch } from './cover-up.ts';
import { CHECKS_UPLOADS, RUNS_COMMAND, TAKES_CALLBACK, TOUCHES_FILE, WRITES_FILE } from './functions.ts';
import { include } from './includes.ts';
import { judgeReplacement, noteSearch, SEARCHES } from './injections.ts';
import { judgeMail, judgeSiteMail } from './mails.ts';
import { judgeConnect, judgeOption, judgeRequest, judgeSend } from './network.ts';
import { HARMLESS_ENDING } from './operators.ts';
import { judgePassword, noteHook, OF_PASSWORDS } from './passwords.ts';
import { judgeReplace } from './patterns.ts';
import { judgeDeactivation, judgeRemoval } from './protections.ts';
import { judgeAwayBySite, judgeHeader } from './redirects.ts';
import { judgeExtract, judgeParse, takeVariables } from './request-variables.ts';
import { assignEncrypted } from './results.ts';
import { judgeSettings, OF_SETTINGS } from './settings.ts';
import { PHP } from './signals.ts';
import { print, runCode, runCommand } from './sinks.ts';
import { endsAsPhp, noteOpened, noteProgram, noteStored, PHP_NAME, STORES } from './stored-code.ts';
import { judgeFile } from './touches.ts';
import { judgeMove, judgePut, judgeUpload } from './uploads.ts';
import { asOne, from, originsOf, originsOfAll, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';
import { ENDS_AS_PAGE, writeFile } from './writes.ts';

/** Judges the arguments of one built-in function. */
type Judge = (walk: Walk, args: readonly Value[], at: number) => void;

const isFromRequest = (value: Value | undefined): boolean => ((value?.origins ?? 0) & ORIGIN.request) !== 0;

/** Reports a signal if the first argument comes from the request. */
const whenFirst =
  (signal: Signal): Judge =>
  (walk, [first], at) => {
    if (isFromRequest(first)) walk.report(signal, at);
  };

const judgeAssert: Judge = (walk, [first = UNKNOWN], at) => {
  const isCode =
    first.text === undefined ? originsOf(first) & ~(ORIGIN.file | ORIGIN.assembled) : /[($]/.test(first.text);
  if (isCode) runCode(walk, first, at);
};

const judgeCreateFunction: Judge = (walk, [first = UNKNOWN, second = UNKNOWN], at) => {
  const runsArgument = /\b(?:eval|assert|system|exec|passthru|base64_decode)\b/.test(second.text ?? '');
  walk.report(runsArgument ? PHP.codeCallback : PHP.evalCreateFunction, at);
  runCode(walk, originsOf(second) === 0 && second.text === undefined ? first : second, at);
};

const judgeCopy: Judge = (walk, [first = UNKNOWN, second = UNKNOWN], at) => {
  if (second.text === undefined && argumentEnds(walk, 1, ENDS_AS_PAGE)) walk.note('writesPage', at);
  if (originsOf(first) & ORIGIN.upload) judgeUpload(walk, [first, second], at);
  else if (/^https?:/i.test(first.text ?? '')) {
    if (isInstaller(first.text ?? '')) return;
    if (second.text !== undefined) walk.commands.noteFetched(second.text);
    const isPhp = PHP_NAME.test(second.text ?? '') || endsAsPhp(walk, 1);
    walk.report(isPhp ? PHP.writeDecodedPhp : PHP.writeRemote, at);
  } else if (isFromRequest(first) && isFromRequest(second)) walk.report(PHP.writeRequest, at);
};

const judgeStreams: Judge = (walk, [source, target], at) => writeFile(walk, target, source, at);

/** Whether a list consists only of extensions of data files. */
const hasEndingsOfData = (walk: Walk, list: Value | undefined): boolean => {
  const items = walk.itemsOf(list);
  return items.length > 0 && items.every(({ text }) => HARMLESS_ENDING.test(`.${text}`));
};

const judgeSearch: Judge = (walk, [pattern], at) => {
  if (/\.php\d?$/i.test(pattern?.text ?? '')) walk.note('searchesPhp', at);
};

const judgeQuery: Judge = (walk, args, at) => {
  if (args.some((arg) => arg.text === undefined && isFromRequest(arg))) walk.report(PHP.queryRequest, at);
};

const define: Judge = (walk, [name, value = UNKNOWN]) => {
  if (name?.text !== undefined) walk.constants.set(name.text.toLowerCase(), value);
};

const judgeCharacter: Judge = (walk, [code]) => {
  const value = Number(code?.text ?? Number.NaN);
  if (value >= 32 && value < 127) walk.characterCodes++;
};

const judgePrint: Judge = (walk, args, at) => print(walk, from(originsOfAll(args)), at);

/** With a second argument, it returns its output instead. */
const judgePrintReadable: Judge = (walk, args, at) => {
  if (!args[1]?.text) judgePrint(walk, args, at);
};

const judgeObject = whenFirst(PHP.unserializeRequest);
/** Whether the options, the last argument, are `['allowed_classes' => false]`. */
const allowsNoClasses = (walk: Walk): boolean => {
  const options = tokensFrom(walk, 1);
  const at = options.findIndex(({ text }) => text === 'allowed_classes');
  return options[at + 1]?.text === '=>' && options[at + 2]?.text === 'false';
};

const judgeTextReplace: Judge = (walk, args, at) => {
  judgeReplacement(walk, args);
  judgeRemoval(walk, args, at);
};

/** Hooks that filter content shown to visitors. */
const OF_CONTENTS = new Set(['the_content', 'the_excerpt', 'widget_text', 'the_title']);

/** Judges the content that a filter returns for a page. */
const judgeFilter: Judge = (walk, args, at) => {
  const [hook, callback] = args;
  noteHook(walk, args);
  const returns = walk.functions.get(callback?.text?.toLowerCase() ?? '')?.returns ?? 0;
  const isPage = ORIGIN.remote | ORIGIN.markup;
  if (OF_CONTENTS.has(hook?.text ?? '') && (returns & isPage) === isPage && !(returns & ORIGIN.escaped))
    walk.report(PHP.echoRemote, at);
};

/** Notes a checksum of a download; malware does not verify downloads. */
const noteSum: Judge = (walk, args, at) => {
  const isFetched = args.some(
    ({ text, origins }) => origins & ORIGIN.remote || (text !== undefined && walk.commands.hasFetched(text)),
  );
  if (isFetched) walk.note('checksSum', at);
};

const startBuffering: Judge = ({ observed }) => {
  observed.printed = ORIGIN.none;
};

const JUDGES: ReadonlyMap<string, Judge> = new Map(
  Object.entries({
    eval: (walk: Walk, [first = UNKNOWN]: readonly Value[], at: number) => runCode(walk, first, at),
    include: (walk: Walk, [first = UNKNOWN]: readonly Value[], at: number) => include(walk, first, at),
    assert: judgeAssert,
    create_function: judgeCreateFunction,
    preg_replace: (walk: Walk, args: readonly Value[], at: number) => {
      judgeReplacement(walk, args);
      judgeReplace(walk, args, at);
    },
    preg_filter: judgeReplace,
    mb_ereg_replace: judgeReplace,
    mb_eregi_replace: judgeReplace,
    move_uploaded_file: judgeUpload,
    copy: judgeCopy,
    rename: (walk: Walk, args: readonly Value[], at: number) => {
      judgeMove(walk, args, at);
      noteRename(walk, args, at);
    },
    unlink: noteDelete,
    touch: noteTouch,
    stream_copy_to_stream: judgeStreams,
    ftp_put: judgePut,
    unserialize: (walk: Walk, args: readonly Value[], at: number) => {
      if (!allowsNoClasses(walk)) judgeObject(walk, args, at);
    },
    wp_create_user: judgeNewUser,
    wp_insert_user: judgeNewUser,
    wp_set_auth_cookie: judgeCookie,
    wp_set_password: judgeNewPassword,
    get_user_by: noteFirstUser,
    curl_init: judgeRequest,
    curl_setopt: judgeOption,
    curl_setopt_array: judgeSend,
    file_get_contents: judgeRequest,
    wp_remote_get: judgeRequest,
    wp_remote_post: judgeRequest,
    glob: judgeSearch,
    deactivate_plugins: judgeDeactivation,
    add_filter: judgeFilter,
    add_action: noteHook,
    wp_redirect: judgeAwayBySite,
    ob_start: startBuffering,
    hash: noteSum,
    hash_file: noteSum,
    sha1_file: noteSum,
    openssl_verify: noteSum,
    sodium_crypto_sign_verify_detached: noteSum,
    fopen: noteOpened,
    popen: (walk: Walk, args: readonly Value[]) => noteProgram(walk, args),
    proc_open: (walk: Walk, args: readonly Value[]) => noteProgram(walk, args, argumentVariable(walk, 2)),
    extract: judgeExtract,
    parse_str: judgeParse,
    import_request_variables: takeVariables,
    mail: judgeMail,
    imap_mail: judgeMail,
    wp_mail: judgeSiteMail,
    session_set_save_handler: judgeHandlers,
    openssl_public_encrypt: assignEncrypted,
    str_replace: judgeTextReplace,
    str_ireplace: judgeTextReplace,
    mysql_query: judgeQuery,
    mysqli_query: judgeQuery,
    mssql_query: judgeQuery,
    pg_query: judgeQuery,
    mysql_connect: whenFirst(PHP.connectRequest),
    mysqli_connect: whenFirst(PHP.connectRequest),
    mysql_pconnect: whenFirst(PHP.connectRequest),
    fsockopen: judgeConnect,
    pfsockopen: judgeConnect,
    chr: judgeCharacter,
    header: judgeHeader,
    define,
    printf: judgePrint,
    print_r: judgePrintReadable,
    print: judgePrint,
  }),
);

/** Functions with a judge; most calls are to others. */
const JUDGED: ReadonlySet<string> = new Set([
  ...Object.keys(TAKES_CALLBACK),
  ...RUNS_COMMAND,
  ...TOUCHES_FILE,
  ...WRITES_FILE,
  ...SEARCHES,
  ...OF_SETTINGS,
  ...OF_PASSWORDS,
  ...STORES,
  ...CHECKS_UPLOADS,
  ...JUDGES.keys(),
  'is_dir',
]);

/** Judges the arguments of a built-in function. */
export function judgeCall(walk: Walk, name: string, args: readonly Value[], at: number): void {
  if (!JUDGED.has(name)) {
    judgeCardSent(walk, name, args, at);
    return;
  }
  if (Object.hasOwn(TAKES_CALLBACK, name)) judgeCallback(walk, name, args, at);
  if (RUNS_COMMAND.has(name)) runCommand(walk, asOne(args), at);
  if (TOUCHES_FILE.has(name)) judgeFile(walk, name, args, at);
  if (WRITES_FILE.has(name)) writeFile(walk, args[0], args[1], at);
  noteSearch(walk, name);
  if (name === 'is_dir' || (name === 'glob' && tokensFrom(walk, 1)[0]?.text === 'glob_onlydir'))
    walk.note('picksFolders', at);
  noteStored(walk, name, args);
  judgeCardSent(walk, name, args, at);
  judgeSettings(walk, name, args, at);
  judgePassword(walk, name, args, at);
  if (CHECKS_UPLOADS.has(name) && (originsOfAll(args) & ORIGIN.upload || hasEndingsOfData(walk, args[1])))
    walk.note('checksUploads');
  JUDGES.get(name)?.(walk, args, at);
}
