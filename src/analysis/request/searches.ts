import type { Field } from './field-list.ts';
import { hasNestedKeywords } from './sql-dialects.ts';
import { wordsOf } from './writing.ts';

const SEARCH =
  /^(?:q|s|wd|qs|k|kw|query|ara|search\w{0,10}|keywords?|terms?|suche|suchbegriff|busca|buscar|recherche|ricerca|zoek)$/i;
/** Words of questions about how something works. */
const ASKING =
  /(?:^|\s)(?:how|what|why|(?<!\bcase\s{1,5})when|where to|which|who|whats|meaning|means?|explain(?:ed)?|vs\.?|versus|tutorials?|examples?|difference|functions?|syntax|guide|learn|disable|enable|install|folder|cheat ?sheet|not (?:working|found|rendered|allowed|recognized)|permission denied|error \d{1,5}|regexp?|equivalent|alternatives?|unterschied|stack ?overflow|wikipedia|tags?|wie|was|warum|bedeutung|bedeutet|beispiele?|comment|pourquoi|exemples?|signification|c[oó]mo|qu[eé]|ejemplos?|significado|come|cosa|esempio|hoe|voorbeeld|in (?:php|python|javascript|typescript|js|java|bash|linux|windows|mysql|postgres|sql|go|ruby|rust|excel|twig|jinja|vue|react))(?=[\s?!.,]|$)/i;
/** Syntax of injections that questions lack: a closed quote, a comment, a number before a condition. */
const INJECTING =
  /['"`]\s*(?:\)|or\b|and\b|union\b|;|\||&|--|#|\+|=|>)|--\s*[-+]?\s*$|\/\*|^\s*-?\d+\s*(?:or|and|union|;)|^\s*[;|&]|[;|&]\s*$|[;|&`]\s{0,3}\/?(?:bin\/)?(?:cat|id|ls|wget|curl|bash|nc|sh|ping|whoami|uname|rm|php|python\d?|perl|sleep)\b|\$\(|<\s*\/\s*script|\bon\w+\s*=|https?:(?:\S{1,200}$|\/\/\S{0,100}169\.254)|\(\s*(?:select|case|if)\b|=\s*\(?\s*\d+\s*(?:$|[)'"#;-]|(?:and|or|union|order|group|limit|r?like|is|as)\b)|^[^\s(]{0,20}\)|\.\.[\\/]{1,3}\.\.|\.\.(?:2f|5c|%)|%[0-9a-f]{2}|0x2e|\.{3,}[\\/]|\u2026|\w\([^()]{0,60}\(|=\s*\w{1,30}\(|[;|&]\s*(?:return\b|\w{1,30}\s*\()|@@|\bxp_\w|\w\.\.\w|\bnet\s+\w+\s.*\/add|\s[a-z]:\\|\b(?:and|or)\s+(?:true|false)\s*$|<script[^<>]{0,60}>?\s?[^\s<>]{1,40}[([='`]|union\s+(?:all\s+)?select\s+(?:(?:\d|null)(?:\s*[,)#;'"-]|\s*$|\s+from\b)|@@|[\w(]{1,30}\s*,)|\b(?:and|or)\s+\(?\s*\w{1,30}\s*\((?!\s*\))|\s--[a-z][\w-]{2,30}=|[{<]%?=?\s*\d+\s*[*+]\s*\d+\s*%?[}>]+\s*$|[;|&`\n]\s*[\w./]{1,30}\s+(?:[-/\\$]|\d+\.)|[;|&`]\s*\w{1,30}\s*$|\bsrc\s*=/i;
const QUESTION_CHARS_MAX = 160;

export const isSearch = ({ kind, name = '' }: Field): boolean =>
  (kind === 'query' || kind === 'body' || kind === 'referer') && SEARCH.test(name);

/** A quoted phrase, as in search engines. */
const PHRASE = /"\p{L}[^"]{0,80}?\p{L}"/gu;
const PLAIN_WORDS_MIN = 2;

/** Whether a search consists of words and complete quoted phrases. */
function hasPhrases(text: string): boolean {
  const others = text.replace(PHRASE, ' ');
  return (
    others !== text &&
    /^[\p{L}\d\s=:.,()+-]*$/u.test(others) &&
    !/--|\d\s*=/.test(others) &&
    wordsOf(others) >= PLAIN_WORDS_MIN
  );
}

/** Commands and their typical arguments. */
const COMMANDS =
  /\b(?:cat|ls|rm|id|ping|net|user|reg|dir|type|echo|curl|wget|bash|sh|cmd|sleep|chmod|chown|nc|ncat|telnet|nslookup|dig|powershell|whoami|uname|ps|kill|touch|cp|mv|head|tail|more|less|find|grep|awk|sed|perl|python\d?|ruby|sudo|localgroup|administrators?|exec|xp_\w{1,20}|dual|null)\b/gi;

const COMMAND_FIRST = new RegExp(`^\\s*(?:${COMMANDS.source}|wmic\\b|tar\\b|schtasks\\b|certutil\\b)`, 'i');

/** Counts plain words; 0 if the text begins with a command or has nested keywords. */
const wordsAround = (text: string): number =>
  COMMAND_FIRST.test(text) || hasNestedKeywords(text)
    ? 0
    : Math.max(wordsOf(text.replace(COMMANDS, ' ')), 2 * (text.match(OTHER_SCRIPT)?.length ?? 0));

/** A word in a non-Latin script, which commands and statements do not contain. */
const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}]{2,40}/gu;

/** A complete question. */
const QUESTION =
  /^(?:what|how|why|when|was|wie|warum|qu[eé]|comment|pourquoi|c[oó]mo)\s[^<]{5,150}\s(?:means?|do|does|work|bedeutet|machen|signifie|significa)\??$/i;

/** Whether a search asks about commands, code or attacks, rather than being one. */
export const asksAbout = (text: string): boolean =>
  text.length <= QUESTION_CHARS_MAX &&
  /\S\s+\S/.test(text) &&
  ((!INJECTING.test(text) && (ASKING.test(text) || wordsAround(text) >= PLAIN_WORDS_MIN)) ||
    hasPhrases(text) ||
    QUESTION.test(text));
