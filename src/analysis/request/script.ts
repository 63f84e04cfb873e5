import { shareOf } from '../words.ts';
import { REQUEST, type Report } from './signals.ts';

/** Script URLs without effect, as used for links without a target. */
const NO_SCRIPT = /^\s*javascript:\s*(?:void\s*(?:\(\s*)?(?:0\s*)?(?:\)\s*)?)?(?:;\s*)?$/i;
export const isNoScript = (value: string): boolean => NO_SCRIPT.test(value);

const CALL =
  /\b(?:alert|prompt|confirm|eval|execscript|settimeout|setinterval|fromcharcode|document\s*\.\s*(?:cookie|write|writeln|location|domain|body|createelement|getelement\w*|queryselector\w*)|window\s*\.\s*(?:location|open|name|onload|onerror)|location\s*(?:\.\s*(?:href|replace|assign|hash)\s*)?=|localstorage|xmlhttprequest|importscripts|new\s+image|constructor\s*\.\s*constructor|__proto__|innerhtml|outerhtml|javascript|self\s*\[|top\s*\[|window\s*\[|parent\s*\[|globalthis\s*\[|frames\s*\[|new\s+function|onerror\s*=|atob|btoa|navigator\s*\.\s*sendbeacon|postmessage|string\s*\.\s*from|reflect\s*\.\s*apply|fetch\s*\(\s*['"`])\b/i;
const CALLED =
  /\b(?:alert|prompt|confirm|eval|settimeout|setinterval|document\s*\.\s*write|fetch|atob|function|print|open|import|write)\s*(?:\(|`|&lpar|\\u0028|\?\.|\.\s*(?:call|apply|bind)\b)|\.\s*(?:cookie|href|innerhtml|constructor|textcontent)\b|\[\s*['"`](?:alert|eval|constructor|cookie|location)|(?:location|onerror|cookie|href)\s*=/i;
/** Functions that display or run something, passed or looked up by name rather than called. */
const INDIRECT =
  /\(\s*(?:alert|prompt|confirm|eval|fetch)\s*\)\s*[(`]|\b(?:top|self|window|parent|globalthis|frames|document|this)\s*\[\s*(?:['"`/][^\]\n]{1,80}|\d{3,15}\s*\.\.\s*tostring\(\d{1,2}\)|object\s*\.\s*\w{1,30}[^\]\n]{0,40})\]\s*(?:\?\.)?[(`]|\.\s*(?:call|apply|bind|find|some|every|map|filter|foreach|sort|findindex|then)\s*(?:\(\s*(?:alert|prompt|confirm|eval)\b|`\s*\$\{\s*(?:alert|prompt|confirm|eval)\b)|\breflect\s*\.\s*apply\s*(?:\(\s*(?:alert|prompt|confirm|eval|fetch)\b|\.\s*call\s*`)|\[\s*['"`]constructor['"`]\s*\]|\$\s*\.\s*getscript\s*\(|(?:^|[;,{(]\s{0,5})[a-z_$]\w{0,10}\s{0,5}=\s{0,5}(?:alert|prompt|confirm|eval)\s{0,5}[;,]|\bonerror\s{0,5}=\s{0,5}(?:alert|prompt|confirm|eval)\b/i;
/** Names used in injected script; everyday words only if followed by script syntax. */
const NAMED =
  '(?:\\b(?:alert|eval|settimeout|constructor)\\b|\\b(?:prompt|confirm|fetch|document|window|location|self|top|parent|import|this)(?:\\s{0,3}[(`[=]|\\?\\.|\\.\\w))';
/** Script after the end of a string in a script. */
const BREAK = new RegExp(
  `(?:^|[^\\\\\\w\\s])\\s*['"\`\\\\][)\\]}\\s]*(?:[-+*/%^&|<>=?,;:]|in\\b)[^'"\`]{0,40}${NAMED}|^['"\`][)\\]}]*[-+*/;,|&]+\\s*\\w+\\s*[(\`.[=]`,
  'i',
);

/** Consecutive words whose first is not a keyword: prose, because it is a syntax error in a script. */
const SENTENCE =
  /^\s{0,10}(?!(?:var|let|const|new|return|typeof|throw|void|delete|function|async|await|class|if|else|do|for|while|with|case|in|of|instanceof|yield|import|export|try|switch|debugger|get|set|static)\b)(?:\p{L}[\p{L}\p{N}'’_-]{0,30}[,.!?]{0,2} ){1,3}\p{L}/iu;
const SCHEME =
  /javascript:\s{0,5}void ?\(? ?0 ?\)?(?=\s{1,5}(?!in\b|instanceof\b)\p{L})|(?:java|vb|live)script:(?=[+\s\p{L}])/giu;
const SCHEMES_MAX = 50;
const SENTENCE_CHARS = 160;

/** Removes script schemes followed by prose, such as in book titles. */
function withoutNamedSchemes(text: string): string {
  let count = 0;
  return text.replace(SCHEME, (found, at: number) => {
    const behind = text.slice(at + found.length, at + found.length + SENTENCE_CHARS);
    // In a URL, plus signs are spaces.
    const rest = /^[A-Za-z+]{1,160}(?:&|$)/.test(behind) ? behind.replaceAll('+', ' ') : behind;
    return ++count <= SCHEMES_MAX && (found.endsWith(')') || found.endsWith('0') || SENTENCE.test(rest))
      ? ' '
      : found;
  });
}

/** Finds addresses and styles that run script. */
export function findAddresses(value: string, report: Report): void {
  if (!/[:(@]/.test(value) || NO_SCRIPT.test(value)) return;
  const compact = withoutNamedSchemes(value.slice(0, 4_000))
    .replace(/[\s\u0000-\u0020]|\/\*[^*]*\*\//g, '')
    .replace(/(["'])javascript:(?:void\(0?\))?;?\1/gi, '""');
  if (
    /(?:^|[=:("'`>])(?:javascript|vbscript|livescript):[^/]|(?:^|["'=])(?:javascript|vbscript):|data:text\/html[^,]{0,40},/i.test(
      compact,
    ) ||
    /%0a|alert|eval/i.test(behind(compact, /javascript:\/\//i))
  )
    report(REQUEST.xssUrl);
  if (/expression\([^)]|url\(["']?javascript:|-moz-binding:|@import["']|behavior:url/i.test(compact))
    report(REQUEST.xssStyle);
}

/** The text after the first match. */
function behind(text: string, pattern: RegExp): string {
  const found = pattern.exec(text);
  return found ? text.slice(found.index + found[0].length) : '';
}

/** Finds script without an element, such as after the end of a string in a script. */
export function findScript(value: string, report: Report): void {
  if (/[(`&\\.[=]/.test(value) && CALL.test(value) && CALLED.test(value)) report(REQUEST.xssCode);
  else if (/[([`=]/.test(value) && INDIRECT.test(value.slice(0, 8_000))) report(REQUEST.xssCode);
  if (/^\s*(?:document\.(?:cookie|write|domain|location)|window\.(?:location|name|open))\s*$/.test(value))
    report(REQUEST.xssCode);
  if (/['"`\\]/.test(value) && BREAK.test(value.slice(0, 8_000))) report(REQUEST.xssBreak);
  const sample = value.slice(0, 4_000);
  if (
    sample.length >= 30 &&
    /\[\]|!\[|\+\[|\(!/.test(sample) &&
    shareOf(sample, /[[\]()!+{}$_"~.;=\\/'-]+/g) > 0.9
  )
    report(REQUEST.xssSymbols);
}
