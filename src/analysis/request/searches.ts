import type { Field } from './field-list.ts';

const SEARCH =
  /^(?:q|s|qs|k|kw|query|search\w{0,10}|keywords?|terms?|suche|suchbegriff|busca|buscar|recherche|ricerca|zoek)$/i;
/** Words of somebody who asks how a thing works rather than has it work. */
const ASKING =
  /(?:^|\s)(?:how|what|why|when|which|who|whats|meaning|means?|explain(?:ed)?|vs\.?|versus|tutorials?|examples?|difference|functions?|syntax|guide|learn|disable|enable|install|folder|cheat ?sheet|not working|permission denied|stack ?overflow|wikipedia|tags?|wie|was|warum|bedeutung|bedeutet|beispiele?|unterschied|comment|pourquoi|exemples?|signification|c[oó]mo|qu[eé]|ejemplos?|significado|come|cosa|esempio|hoe|voorbeeld|in (?:php|python|javascript|typescript|js|java|bash|linux|windows|mysql|postgres|sql|go|ruby|rust|excel|twig|jinja|vue|react))(?=[\s?!.,]|$)/i;
/** What injections have and questions have not: a quote that is closed, a comment, a number before a condition. */
const INJECTING =
  /['"`]\s*(?:\)|or\b|and\b|union\b|;|\||&|--|#|\+|=|>)|--\s*[-+]?\s*$|\/\*|^\s*-?\d+\s*(?:or|and|union|;)|^\s*[;|&]|[;|&]\s*$|[;|&`]\s{0,3}\/?(?:bin\/)?(?:cat|id|ls|wget|curl|bash|nc|sh|ping|whoami|uname|rm|php|python\d?|perl|sleep)\b|\$\(|<\s*\/\s*script|\bon\w+\s*=|https?:|\bsrc\s*=/i;
const QUESTION_CHARS_MAX = 160;

/** Whether a field is what somebody looks for. */
export const isSearch = ({ kind, name = '' }: Field): boolean =>
  (kind === 'query' || kind === 'body') && SEARCH.test(name);

/** Whether a search asks about commands, code or attacks, and is none itself. */
export const asksAbout = (text: string): boolean =>
  text.length <= QUESTION_CHARS_MAX && /\S\s+\S/.test(text) && ASKING.test(text) && !INJECTING.test(text);
