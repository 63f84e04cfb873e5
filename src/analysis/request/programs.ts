import { analyzeCode } from '../code.ts';
import { Findings } from '../signal.ts';
import { judge, worstPart } from '../verdict.ts';

const CHARS_MAX = 32 * 1024;
const LINES_MIN = 3;
/** Text and source files that web servers do not run, by extension. */
const TEXT_FILE =
  /^[^/\\\u0000:;%]{1,120}\.(?:py|pl|rb|sh|bash|ps1|bat|go|rs|c|h|cc|cpp|hpp|java|kt|cs|swift|mjs|jsx?|tsx?|vue|css|scss|sql|txt|log|md|rst|json|ya?ml|toml|ini|conf|diff|patch|tex|r|lua|ipynb)$/i;
/** A self-contained page: scripts only from its own files. */
const PAGE = /^\s*<!doctype html>/i;
const ACTING =
  /\son\w{3,20}\s*=|javascript:|<script(?![^<>]{0,200}\ssrc=["']?(?!https?:|\/\/)[\w./-]{1,200})|<(?:iframe|object|embed|base)\b|http-equiv=["']?refresh/i;
/** Types that browsers display as a page, or that contradict the extension. */
const OTHER_TYPE = /html|svg|xml|^(?:image|video|audio)\//i;
/** Code in any language that accepts commands from a caller or opens a connection. */
const TAKES_ORDERS =
  /phpinfo|QUERY_STRING|REQUEST_METHOD|\bcgi\b|FieldStorage|\bsocket\b|\/dev\/tcp|reverse|backdoor|\bnc\s+-|base64\s+-d|\|\s*(?:ba)?sh\b/i;

/** Names of settings with parts of every page. */
const PAGE_PART =
  /(?:^|[_\-[.])(?:html|markup|template|head(?:er)?|foot(?:er)?|scripts?|js|code|source|newcontent|snippet|embed|body_?(?:start|end|open|close)|tracking)\]?$/i;
const PART_CHARS_MIN = 60;
const MARKUP = /^\s{0,20}(?:<[!?a-z]|\{[%{#])/i;
const LEADS_AWAY = /\blocation\b|\btop\b|\bparent\b|\bopener\b|javascript:|\son\w{3,20}\s{0,3}=/i;

/** Whether a setting contains a part of a page with harmless scripts. */
export const isPagePart = (name: string, text: string): boolean =>
  PAGE_PART.test(name) &&
  text.length >= PART_CHARS_MIN &&
  MARKUP.test(text) &&
  !LEADS_AWAY.test(text) &&
  isHarmlessProgram(text);

/** Whether the engine for code finds a program clean. */
export function isHarmlessProgram(text: string): boolean {
  if (text.length > CHARS_MAX || TAKES_ORDERS.test(text)) return false;
  // The purpose of a line or two of PHP is unknown.
  if (text.includes('<?') && (text.match(/\n/g)?.length ?? 0) < LINES_MIN) return false;
  const findings = new Findings();
  analyzeCode(text, findings);
  return judge(worstPart(findings), 'code').verdict === 'clean';
}

/** Whether an upload is a harmless file of source or text. */
export const isHarmlessFile = (names: readonly string[], type: string, text: string): boolean =>
  names.length === 1 &&
  ((names.every((name) => TEXT_FILE.test(name)) && !OTHER_TYPE.test(type)) ||
    (names.every((name) => /^[\w .-]{1,100}\.html?$/i.test(name)) &&
      PAGE.test(text) &&
      !ACTING.test(text))) &&
  isHarmlessProgram(text);
