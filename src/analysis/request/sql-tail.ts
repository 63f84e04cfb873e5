import { normalizeSql } from './sql-lexer.ts';

const QUOTES_MAX = 8;
const TAIL_CHARS = 2_000;
const PLAIN_WORDS_MAX = 1;
/** Continuations of a statement after a closed string. */
const CONTINUES =
  /^'s' (?:\) ){0,6}(?:or|and|xor|\|\||&&|union|;|,|\+|-|\*|like|rlike|regexp|in|between|having|order by|group by|limit|where|procedure|into|waitfor|is|=|as) /;
const DOES_SOMETHING =
  / (?:=|<|>|<=|>=|<>|!=|like|rlike|regexp|between|is null|is not null|in \() | \w{1,40} \(|\b(?:select|insert into|update|delete from|drop|waitfor|exec) /;
/** A comment mark followed by a sentence is a dash. */
const SENTENCE_AFTER =
  /(?:--|#)["'”»)\s:]{0,4}[ (](?:\p{L}[\p{L}']{0,20}[,.]? ){2}\p{L}|(?:--|#).{0,3}[\u3040-\u9fff\u0e00-\u0eff]{4}/u;
const ENDS = /(?:'[sq]'|--|\)|\b0|\bnull|true|\b(?:table|from|into|view|database) \w{1,40})$/;
/** SQL keywords, and names in their positions: before an operator or bracket, or after a keyword that needs a name. */
const NAMED =
  /\b(?:or|and|xor|not|union|all|select|from|where|having|order|group|by|like|rlike|regexp|in|is|null|limit|offset|as|case|when|then|else|end|distinct|exists|between|into|values|insert|update|delete|set|drop|table|exec|waitfor|delay|procedure|asc|desc|true|false|div|mod|binary|outfile|dumpfile|top|count|user)\b|(?<=\b(?:from|into|update|table|by|as|join|exec) )\w+|\b\w+(?= (?:\(|\.|=|<|>|!=|<>|like|is|in|,))|(?<=\. )\w+|(?<=(?:select|,) )\w+/g;

/**
 * Whether a quote is closed and the rest is SQL up to the end, which a sentence before it does not excuse. Sentences that quote
 * SQL continue with words.
 */
export function continuesAsSql(text: string): boolean {
  if (/[.?!]\s{0,10}$/.test(text.slice(-20))) return false;
  for (const quote of ["'", '"'] as const) {
    let at = text.indexOf(quote);
    for (let read = 0; at >= 0 && read < QUOTES_MAX; read++, at = text.indexOf(quote, at + 1)) {
      if (text.length - at > TAIL_CHARS || SENTENCE_AFTER.test(text.slice(at))) continue;
      const tail = normalizeSql(text.slice(at), quote).text;
      if (!CONTINUES.test(tail) || !DOES_SOMETHING.test(tail) || !ENDS.test(tail)) continue;
      const others = tail.replace(NAMED, '').match(/\b[a-z_]{2,40}\b(?!')/g)?.length ?? 0;
      if (others <= PLAIN_WORDS_MAX) return true;
    }
  }
  return false;
}
