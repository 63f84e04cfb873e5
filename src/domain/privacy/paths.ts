import { isLetter, isLetterOrDigit } from './characters.ts';

/**
 * An absolute path (`/etc/passwd`, `~ann/x`, `C:\\Users`, `C:/Users`), a UNC path (`\\\\server\\share`, `//server/share`,
 * `file://`), a way up (`../`) or a backslash before a name: a Windows path, a registry path, or a domain's login. A slash
 * inside a word (`n/a`) and a plain URL are not paths.
 */
export function hasAbsolutePath(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== SLASH && code !== BACKSLASH) continue;
    const before = text.charCodeAt(i - 1);
    const next = text.charCodeAt(i + 1);
    if (
      code === BACKSLASH &&
      (startsName(next) || (next === BACKSLASH && startsName(text.charCodeAt(i + 2))))
    )
      return true;
    if (before === DOT && text.charCodeAt(i - 2) === DOT) return true;
    if (before === COLON && isDriveLetter(text, i - 2) && (code === BACKSLASH || next !== SLASH)) return true;
    if (code === SLASH && opensPath(text, i, before) && (startsName(next) || isDoubled(text, i))) return true;
  }
  return FILE_URL.test(text) || HOME.test(text);
}

/** A path or file name of any kind, also relative: `wp-content/uploads`, `backup.sql`, `.env`. */
export function hasFileName(text: string): boolean {
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== SLASH && code !== BACKSLASH) continue;
    if (startsName(text.charCodeAt(i - 1)) && startsName(text.charCodeAt(i + 1))) return true;
  }
  return FILE_NAME.test(text);
}

const isDriveLetter = (text: string, at: number): boolean =>
  isLetter(text.charCodeAt(at)) && !isLetterOrDigit(text.charCodeAt(at - 1));

const isDoubled = (text: string, at: number): boolean =>
  text.charCodeAt(at + 1) === SLASH && startsName(text.charCodeAt(at + 2));

function opensPath(text: string, at: number, before: number): boolean {
  if (at === 0 || OPENING.has(before)) return true;
  return before === COLON && text.charCodeAt(at + 1) !== SLASH;
}

const startsName = (code: number): boolean => isLetterOrDigit(code) || code > 0x7f || NAME_SIGNS.has(code);

const codesOf = (signs: string): ReadonlySet<number> => new Set([...signs].map((sign) => sign.charCodeAt(0)));

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const DOT = 0x2e;
const OPENING = codesOf(' \t\n\r"\'`=([{<>,;|~&?._-');
const NAME_SIGNS = codesOf('._-~$@?*');
const FILE_URL = /(?<![a-z0-9])file:\/\//i;
const HOME = /(?<![a-z0-9])~[a-z_][a-z0-9_-]{0,31}\//i;
/** Endings of files that a site's backup holds, as sources of patterns. */
const ENDINGS = (
  'php[3-8]? phtml js mjs ts css html? xml json ya?ml ini conf cfg env htaccess htpasswd sql sqlite3? ' +
  'db mdb bak old log txt md csv tsv pdf docx? xlsx? pptx? odt rtf eml msg pst zip tar tgz t?gz bz2 xz ' +
  '7z rar iso img vmdk vhdx? exe dll so sys bat cmd ps1 vbs jar war py rb pl sh bash c cpp go rs java ' +
  'class png jpe?g gif svg webp mp[34] pem key crt cer p12 pfx ppk kdbx'
).split(' ');
const FILE_NAME = new RegExp(`(?:[A-Za-z0-9_-]|^|\\s)\\.(?:${ENDINGS.join('|')})(?![A-Za-z0-9])`, 'i');
