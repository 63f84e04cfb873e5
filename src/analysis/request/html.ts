import { decodeHtml } from '../decode.ts';
import { setOf } from '../words.ts';
import { findAddresses, findScript, isNoScript } from './script.ts';
import { REQUEST, type Report } from './signals.ts';

const EVENT = /^on[a-z]{3,30}$/;
/** Elements that run or load something. */
const ACTIVE = setOf(
  'iframe frame object embed applet base link meta isindex xml bgsound layer ilayer portal animate set ' +
    'foreignobject xss import handler noembed keygen mglyph malignmark',
);
/** Of these, elements without effect unless they have an address or content, so people mention them. */
const LOADING = new Set(['iframe', 'frame', 'object', 'embed', 'base', 'link', 'meta', 'bgsound']);
const LOADED =
  /^(?:src|href|data|code|codebase|classid|content|type|srcdoc|xlink:href|dynsrc|lowsrc|name|allow\w*)$/;
const SCRIPT_URL =
  /^[\s\u0000-\u0020]*(?:j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t|v\s*b\s*s\s*c\s*r\s*i\s*p\s*t|livescript|mocha|ecmascript)\s*:|^\s*data\s*:\s*(?:text\/html|text\/xml|application\/x?html|image\/svg|text\/javascript|application\/javascript|[,;]base64|,)|^feed:javascript:|^jar:|^view-source:/i;
const TAG = /<[\s/\u0000-\u0020]*(?:\?|!(?!-)|([A-Za-z][A-Za-z0-9:_\u0000-]{0,40}))/g;
const LETTER_OR_END = /[A-Za-z>]/g;
const ATTRIBUTE = /([A-Za-z][A-Za-z0-9:_.\-\u0000]{0,60})[\s\u0000]*(=)?/y;
const TAGS_MAX = 400;
const DANGLING_CHARS = 500;
const ATTRIBUTES_MAX = 60;
/** Limits repeated readings of overlapping tags. */
const READINGS_MAX = 3;
const STYLE_CHARS = 8_000;

interface Attribute {
  readonly name: string;
  /** Undefined without an equals sign. */
  readonly value: string | undefined;
}

interface AttributeRun {
  readonly attributes: readonly Attribute[];
  /** Offset after the last one. */
  readonly end: number;
  /** Whether a value was quoted, so that a reading from another tag finds other attributes. */
  readonly hasQuotes: boolean;
}

/** Parses the attributes after a tag name like browsers do; unfinished tags count too. */
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
    let value: string | undefined;
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

/** Dangling markup: a URL in an unclosed quote, which sends the rest of the page up to the next quote to another host. */
const DANGLING =
  /<\w{1,10}\s[^<>]{0,200}?\b(?:src|href|action|background|data|content)\s{0,5}=\s{0,5}(["'`])(?:0;\s?url=)?(?:https?:)?\/\/[^\s"'`<>]{1,200}[?=/]$/i;
/** CSS that requests another host depending on a field's content. */
const ASKING_STYLE =
  /\[\s{0,3}(?:value|content|nonce)\s{0,3}[\^$*~|]?=[^\]{}]{1,60}\][^{}]{0,100}\{[^{}]{0,200}url\(\s{0,3}["']?(?:https?:)?\/\//i;
/** CSS from another host, which reveals visitors. */
const LOADING_STYLE =
  /<style\b[^<>]{0,100}>[^<]{0,2000}(?:@font-face|@import)[^<]{0,400}?(?:https?:)?\/\/(?!fonts\.|use\.typekit|cdnjs\.|cdn\.)/i;
/** Event handlers of frameworks with a sandbox, and ways out of it. */
const BOUND = /^(?:ng-|data-ng-|x-ng-|v-on|x-on|x-init)/;
const LEAVES_BINDING = /\$event\b|constructor|orderBy\s{0,3}:/;
const PASSWORD_FIELD = /<input\b[^<>]{0,200}\btype\s{0,3}=\s{0,3}["']?password\b/i;

/** Finds markup and script in a value: as page content, inside an attribute, or inside a script. */
export function findHtml(value: string, report: Report): void {
  if (value.includes('<')) findElements(value, report);
  if (value.includes('url(') && ASKING_STYLE.test(value.slice(0, STYLE_CHARS))) report(REQUEST.xssStyle);
  if (/^[^<]{3}/.test(value) && LOADING_STYLE.test(value)) report(REQUEST.xssStyle);
  findHandlers(value, report);
  findAddresses(value, report);
  findScript(value, report);
}

/** Prose in place of script: consecutive words are a syntax error. */
const WORDS =
  /^>\s{0,3}(?!(?:var|let|const|new|return|typeof|throw|void|delete|function|async|await|class)\b)\p{L}{1,30}(?:['’-]\p{L}{1,20})?(?:[ ,]{1,2}[\p{L}'’-]{2,30}){1,60}[.?! ]{0,3}(?:$|<|\n)/u;
const WORDS_CHARS = 600;

/** Text directly after a tag that shows it is only mentioned: a closing quote, pattern or the end of the value. */
const CLOSED = /^(?:\s(?!src)[^<>]{0,60}(?=>["'”]))?\s?>?\s{0,3}(?:["'”»)\]|%*,.?!]|$)/;

/** Whether a script element is only mentioned, in a sentence or a search. */
function isNamed(value: string, { index, 0: tag }: RegExpExecArray): boolean {
  const after = value.slice(index + tag.length, index + tag.length + WORDS_CHARS);
  const leaves = /["'`][\s/]*>\s*$/.test(value.slice(Math.max(0, index - 8), index));
  if (!leaves && CLOSED.test(after) && tag.toLowerCase() === '<script') return true;
  return WORDS.test(after) || (/^>[\s+]{1,3}[\p{L} ]{1,60}$/u.test(after) && tag === '<script');
}

/** Finds elements that run or load something, and judges their attributes. */
export function findElements(value: string, report: Report): void {
  let read = 0;
  let judgedTo = 0;
  let charsLeft = value.length * READINGS_MAX;
  let isSentElsewhere = false;
  if (DANGLING.test(value.slice(-DANGLING_CHARS))) report(REQUEST.xssElement);
  for (const found of value.matchAll(TAG)) {
    if (++read > TAGS_MAX) return;
    const name = found[1]?.replaceAll('\u0000', '').toLowerCase() ?? '';
    const isClosing = found[0].includes('/');
    if (/^(?:\w+:)?script/.test(name) && !isNamed(value, found)) report(REQUEST.xssScript);
    if (isClosing || name === '') continue;
    const isAnimation = name === 'animate' || name === 'set';
    if (
      ACTIVE.has(name) &&
      !LOADING.has(name) &&
      !isAnimation &&
      !/^>\s?\p{L}/u.test(value.slice(found.index + found[0].length, found.index + found[0].length + 3))
    )
      report(REQUEST.xssElement);
    // After another element, the quote may belong to that one.
    const isFirst = value.lastIndexOf('<', found.index - 1) < 0;
    const before = value.slice(Math.max(0, found.index - 12), found.index);
    if ((isFirst && /["'`][\s/]*>\s*$/.test(before)) || /^["'`)\]};\s]+$/.test(before))
      report(REQUEST.xssMarkup);
    // Attributes of tags inside an unfinished tag were judged with it.
    if (found.index < judgedTo && name !== 'use') continue;
    const start = found.index + found[0].length;
    const { attributes, end, hasQuotes } = attributesFrom(value, start);
    if (LOADING.has(name) && attributes.some(isLoaded)) report(REQUEST.xssElement);
    if (isAnimation && attributes.some(isRedirected)) report(REQUEST.xssElement);
    for (const attribute of attributes) judgeAttribute(name, attribute, report);
    if (attributes.some(reportsClicks)) report(REQUEST.xssElement);
    if (name === 'form' && !isSentElsewhere && sendsElsewhere(attributes)) {
      isSentElsewhere = true;
      if (PASSWORD_FIELD.test(value)) report(REQUEST.xssElement);
    }
    charsLeft -= end - start;
    if (!hasQuotes || charsLeft < 0) judgedTo = end;
  }
}

function judgeAttribute(element: string, attribute: Attribute, report: Report): void {
  const { name } = attribute;
  // A handler without a value has no effect; people mention it.
  if (attribute.value === undefined || (EVENT.test(name) && attribute.value.trim() === '')) return;
  const value = decodeHtml(attribute.value);
  if (EVENT.test(name) || (BOUND.test(name) && LEAVES_BINDING.test(value))) report(REQUEST.xssHandler);
  else if (value !== '' && SCRIPT_URL.test(value.replace(/[\u0000-\u0020]/g, '')) && !isNoScript(value))
    report(REQUEST.xssUrl);
  else if (name === 'style') judgeStyle(value, report);
  else if (
    name === 'srcdoc' ||
    name === 'formaction' ||
    (name === 'http-equiv' && element !== 'meta' && /refresh|set-cookie/i.test(value))
  )
    report(REQUEST.xssElement);
  else if (name === 'href' && element === 'use' && !value.startsWith('#')) report(REQUEST.xssElement);
}

/** Whether an attribute loads something. */
const isLoaded = ({ name, value }: Attribute): boolean =>
  value !== undefined && value !== '' && (LOADED.test(name) || EVENT.test(name));

/** Whether an animation changes a link target or an event handler. */
const isRedirected = ({ name, value = '' }: Attribute): boolean =>
  name === 'attributename' && /href|^on/i.test(value);

/** Whether clicks are reported to another host. */
const reportsClicks = ({ name, value = '' }: Attribute): boolean =>
  name === 'ping' && /^\s{0,5}(?:https?:)?[\\/]{2}/i.test(value);

/** Whether a form sends to another host. */
const sendsElsewhere = (attributes: readonly Attribute[]): boolean =>
  attributes.some(({ name, value = '' }) => name === 'action' && /^\s{0,5}(?:https?:)?[\\/]{2}/i.test(value));

function judgeStyle(value: string, report: Report): void {
  const plain = value.replace(/\/\*[^*]*\*\//g, '').replace(/[\\\s]/g, '');
  if (/expression\([^)]|javascript:|vbscript:|-moz-binding|behavio(?:u)?r:|@import/i.test(plain))
    report(REQUEST.xssStyle);
}

/** Finds event handlers without a tag. */
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
