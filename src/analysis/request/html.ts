import { shareOf } from '../words.ts';
import { REQUEST, type Report } from './signals.ts';

const EVENT = /^on[a-z]{3,30}$/;
/** Elements that run or load something by themselves. */
const ACTIVE = new Set([
  'iframe',
  'frame',
  'object',
  'embed',
  'applet',
  'base',
  'link',
  'meta',
  'isindex',
  'xml',
  'bgsound',
  'layer',
  'ilayer',
  'portal',
  'animate',
  'set',
  'foreignobject',
  'xss',
  'import',
  'handler',
  'noembed',
  'keygen',
]);
const SCRIPT_URL =
  /^[\s\u0000-\u0020]*(?:j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t|v\s*b\s*s\s*c\s*r\s*i\s*p\s*t|livescript|mocha|ecmascript)\s*:|^\s*data\s*:\s*(?:text\/html|text\/xml|application\/x?html|image\/svg|text\/javascript|application\/javascript|[,;]base64|,)|^feed:javascript:|^jar:|^view-source:/i;
/** How pages say that a link leads nowhere. */
const NO_SCRIPT = /^\s*javascript:\s*(?:void\s*\(?\s*0?\s*\)?)?\s*;?\s*$/i;
const TAG = /<[\s/\u0000-\u0020]*(?:\?|!(?!-)|([A-Za-z][A-Za-z0-9:_\u0000-]{0,40}))/g;
const LETTER_OR_END = /[A-Za-z>]/g;
const ATTRIBUTE = /([A-Za-z][A-Za-z0-9:_.\-\u0000]{0,60})[\s\u0000]*(=)?/y;
const TAGS_MAX = 400;
const ATTRIBUTES_MAX = 60;
/** How often the tags of a value may be read, each from behind its own name. */
const READINGS_MAX = 3;

interface Attribute {
  readonly name: string;
  readonly value: string;
}

interface AttributeRun {
  readonly attributes: readonly Attribute[];
  /** Behind the last of them. */
  readonly end: number;
  /** Whether a value stood in quotes, so that other readings see other attributes. */
  readonly hasQuotes: boolean;
}

/** The attributes of a tag from behind its name, as browsers read them; an unfinished tag counts too. */
function attributesFrom(text: string, start: number): AttributeRun {
  const attributes: Attribute[] = [];
  let hasQuotes = false;
  let at = start;
  while (at < text.length && attributes.length < ATTRIBUTES_MAX) {
    LETTER_OR_END.lastIndex = at;
    at = LETTER_OR_END.test(text) ? LETTER_OR_END.lastIndex - 1 : text.length;
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (found === null) break;
    at += found[0].length;
    let value = '';
    if (found[2] !== undefined) {
      while (/[\s\u0000]/.test(text[at] ?? '')) at++;
      const quote = text[at] ?? '';
      if (quote === '"' || quote === "'" || quote === '`') {
        hasQuotes = true;
        const end = text.indexOf(quote, at + 1);
        value = text.slice(at + 1, end < 0 ? Math.min(text.length, at + 2_000) : Math.min(end, at + 2_000));
        at = end < 0 ? text.length : end + 1;
      } else {
        const end = text.slice(at, at + 2_000).search(/[\s>]/);
        value = text.slice(at, end < 0 ? at + 2_000 : at + end);
        at += Math.max(value.length, 1);
      }
    }
    attributes.push({ name: found[1]?.replaceAll('\u0000', '').toLowerCase() ?? '', value });
  }
  return { attributes, end: at, hasQuotes };
}

const CALL =
  /\b(?:alert|prompt|confirm|eval|execscript|settimeout|setinterval|fromcharcode|document\s*\.\s*(?:cookie|write|writeln|location|domain|body|createelement|getelement\w*)|window\s*\.\s*(?:location|open|name|onload|onerror)|location\s*(?:\.\s*(?:href|replace|assign|hash)\s*)?=|localstorage|xmlhttprequest|importscripts|new\s+image|constructor\s*\.\s*constructor|__proto__|innerhtml|outerhtml|javascript|self\s*\[|top\s*\[|window\s*\[|parent\s*\[|globalthis\s*\[|frames\s*\[|new\s+function|onerror\s*=|atob|btoa|navigator\s*\.\s*sendbeacon|postmessage|string\s*\.\s*from|fetch\s*\(\s*['"`])\b/i;
const CALLED =
  /\b(?:alert|prompt|confirm|eval|settimeout|setinterval|document\s*\.\s*write|fetch|atob|function|print|open|import|write)\s*(?:\(|`|&lpar|\\u0028)|\.\s*(?:cookie|href|innerhtml|constructor)\b|\[\s*['"`](?:alert|eval|constructor|cookie|location)|(?:location|onerror|cookie|href)\s*=/i;
/** Script behind the end of a text in a script. */
const BREAK =
  /(?:^|[^\\\w\s])\s*['"`\\][)\]}\s]*(?:[-+*/%^&|<>=?,;:]|in\b)[^'"`]{0,40}\b(?:alert|prompt|confirm|eval|document|window|location|self|top|parent|fetch|settimeout|constructor|import|this)\b|^['"`][)\]}]*[-+*/;,|&]+\s*\w+\s*[(`.[=]/i;

/** Finds markup and script in a value: as content of a page, inside of an attribute, inside of a script. */
export function findHtml(value: string, report: Report): void {
  if (value.includes('<')) findElements(value, report);
  findHandlers(value, report);
  findAddresses(value, report);
  findScript(value, report);
}

/** Finds elements that run or load something, and what their attributes hold. */
export function findElements(value: string, report: Report): void {
  let read = 0;
  let judgedTo = 0;
  let charsLeft = value.length * READINGS_MAX;
  for (const found of value.matchAll(TAG)) {
    if (++read > TAGS_MAX) return;
    const name = found[1]?.replaceAll('\u0000', '').toLowerCase() ?? '';
    const isClosing = found[0].includes('/');
    if (/^(?:\w+:)?script/.test(name)) report(REQUEST.xssScript);
    if (isClosing || name === '') continue;
    if (ACTIVE.has(name)) report(REQUEST.xssElement);
    // Behind another element, the attribute may be that one's own.
    const isFirst = value.lastIndexOf('<', found.index - 1) < 0;
    const before = value.slice(Math.max(0, found.index - 12), found.index);
    if ((isFirst && /["'`][\s/]*>\s*$/.test(before)) || /^["'`)\]};\s]+$/.test(before))
      report(REQUEST.xssMarkup);
    // Of tags that stand inside of an unfinished one, the attributes were judged with that one's.
    if (found.index < judgedTo && name !== 'use') continue;
    const start = found.index + found[0].length;
    const { attributes, end, hasQuotes } = attributesFrom(value, start);
    for (const attribute of attributes) judgeAttribute(name, attribute, report);
    charsLeft -= end - start;
    if (!hasQuotes || charsLeft < 0) judgedTo = end;
  }
}

function judgeAttribute(element: string, { name, value }: Attribute, report: Report): void {
  if (EVENT.test(name)) report(REQUEST.xssHandler);
  else if (value !== '' && SCRIPT_URL.test(value.replace(/[\u0000-\u0020]/g, '')) && !NO_SCRIPT.test(value))
    report(REQUEST.xssUrl);
  else if (name === 'style') judgeStyle(value, report);
  else if (
    name === 'srcdoc' ||
    name === 'formaction' ||
    (name === 'http-equiv' && /refresh|set-cookie/i.test(value))
  )
    report(REQUEST.xssElement);
  else if (name === 'href' && element === 'use') report(REQUEST.xssElement);
}

function judgeStyle(value: string, report: Report): void {
  const plain = value.replace(/\/\*[^*]*\*\//g, '').replace(/[\\\s]/g, '');
  if (/expression\(|javascript:|vbscript:|-moz-binding|behavio(?:u)?r:|@import/i.test(plain))
    report(REQUEST.xssStyle);
}

/** Attributes that need no tag of their own. */
function findHandlers(value: string, report: Report): void {
  if (
    value.includes('=') &&
    /(?:^|["'`\s/;>])on(?:error|load|click|mouse\w{2,6}|focus\w{0,3}|blur|key\w{2,5}|change|submit|toggle|pointer\w{2,12}|animation\w{3,12}|transition\w{3,8}|wheel|drag\w{0,6}|drop|copy|cut|paste|input|select\w{0,6}|begin|end|repeat|hashchange|message|page\w{4}|resize|scroll\w{0,3}|search|show|start|finish|bounce|touch\w{3,6}|unload|beforeunload|before\w{3,12}|after\w{3,8}|auxclick|dblclick|contextmenu|invalid|reset|play\w{0,4}|can\w{3,12}|loaded\w{4,8}|timeupdate|volumechange|activate|readystatechange|propertychange|progress|seeking|stalled|suspend|waiting|popstate|online|offline|storage|formdata|gotpointercapture|webkit\w{3,20}|cuechange|ratechange|durationchange|ended|emptied|abort|pause|filterchange|losecapture|rowexit|help|close|cancel)\s{0,5}=/i.test(
      value,
    )
  ) {
    report(
      /["'`/]\s*\bon\w+\s{0,5}=|\bon\w+\s{0,5}=\s{0,5}["'`]?\s{0,5}(?:\w+\s*[(`.=[]|javascript|\\u|&|\()/i.test(
        value,
      )
        ? REQUEST.xssAttribute
        : REQUEST.xssCode,
    );
  }
}

/** Finds addresses and styles that run script. */
export function findAddresses(value: string, report: Report): void {
  if (!/[:(@]/.test(value) || NO_SCRIPT.test(value)) return;
  const compact = value
    .slice(0, 4_000)
    .replace(/[\s\u0000-\u0020]|\/\*[^*]*\*\//g, '')
    .replace(/(["'])javascript:(?:void\(0?\))?;?\1/gi, '""');
  if (
    /(?:^|[=:("'`>])(?:javascript|vbscript|livescript):[^/]|(?:^|["'=])(?:javascript|vbscript):|data:text\/html/i.test(
      compact,
    ) ||
    /%0a|alert|eval/i.test(behind(compact, /javascript:\/\//i))
  )
    report(REQUEST.xssUrl);
  if (/expression\(|url\(["']?javascript:|-moz-binding:|@import["']|behavior:url/i.test(compact))
    report(REQUEST.xssStyle);
}

/** What stands behind the first place of a pattern. */
function behind(text: string, pattern: RegExp): string {
  const found = pattern.exec(text);
  return found ? text.slice(found.index + found[0].length) : '';
}

function findScript(value: string, report: Report): void {
  if (/[(`&\\.[=]/.test(value) && CALL.test(value) && CALLED.test(value)) report(REQUEST.xssCode);
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
