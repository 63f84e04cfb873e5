import { continuesAsSql } from './sql-tail.ts';

/** Terms of reports, lessons and questions about attacks. */
const TOPICS: readonly (readonly [RegExp, Topic])[] = [
  [
    /\b(?:xss|cross-site|reflected|(?:un)?escap(?:e|ed|ing)|saniti[sz]\w{1,4}|vulnerab\w{2,8}|owasp|html injection|content security policy|csp|waf|bug bounty)\b/i,
    'markup',
  ],
  [
    /\b(?:jinja2?|twig|template (?:engine|injection)|ssti|handlebars|liquid|mustache|freemarker|velocity|thymeleaf|vue|angular)\b/i,
    'template',
  ],
  [/\b(?:web ?shells?|backdoors?|malware|shellshock|vulnerable|attackers?|remote code execution)\b/i, 'code'],
];
/** Script that only demonstrates that it ran. */
const SHOWING =
  /\b(?:alert|confirm|prompt|print|console\.log)\s{0,3}[(`]\s{0,3}(?:["']?[\w .!-]{0,20}["']?|document\.domain|window\.origin|location\.origin)\s{0,3}[)`]|\bhistory\.back\(\)/gi;
/** Script that takes data or runs foreign code. */
const TAKING =
  /cookie|localstorage|sessionstorage|fetch|xmlhttp|sendbeacon|import|\beval|atob|fromcharcode|\.src\b|new\s|src\s{0,3}=\s{0,3}["']?(?:https?:|\/\/)|location\s{0,3}=|innerhtml|&#|\\u00|\\x|javascript:(?!history\.back)/i;
/** Minimum length of the text around an example. */
const WORDS_MIN = 6;
const WORD = /(?:^|[\s("'])\p{L}{2,20}(?=[\s.,;:!?)"']|$)/gu;

export type Topic = 'markup' | 'template' | 'code';

/** Whether script in a text only demonstrates that it ran. */
export const showsOnly = (text: string): boolean =>
  !TAKING.test(text.replace(SHOWING, ' ')) && !/\$_(?:get|post|request|cookie)\b/i.test(text);

/** Whether a text is about attacks of a kind and only demonstrates them. */
export function isAbout(topic: Topic, text: string): boolean {
  const plain = text.replace(/<[^<>]{0,400}>|\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}/g, ' ');
  if (!TOPICS.some(([pattern, each]) => each === topic && pattern.test(plain))) return false;
  if ((plain.match(WORD)?.length ?? 0) < WORDS_MIN) return false;
  if (topic === 'code') return !/base64|gzinflate|str_rot13|file_put|\beval\b|\/dev\/tcp|https?:/i.test(text);
  return topic === 'template'
    ? !/__\w+__|popen|exec|system|\bos\b|subprocess|runtime|constructor/i.test(text)
    : showsOnly(text);
}

const TITLE = /^(?:title|subject|summary|headline|betreff|titel|titre|asunto|oggetto)$/i;

/** Whether a field is a title that begins with words. */
export const isTitle = (name: string, text: string): boolean =>
  TITLE.test(name) &&
  /^\p{L}{3,20}(?:: | \p{L}{2,20} )/u.test(text) &&
  !continuesAsSql(text) &&
  !text.includes('<');
