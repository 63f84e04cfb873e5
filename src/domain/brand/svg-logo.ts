/** The allowed attributes of drawings. None of them runs, loads or animates anything. */
const ATTRIBUTES = new Set(
  `xmlns viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform id version
  fill fill-opacity fill-rule clip-rule clip-path stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset opacity offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod
  clipPathUnits font-family font-size font-weight font-style text-anchor letter-spacing role aria-hidden aria-label`.split(
    /\s+/,
  ),
);
const ELEMENTS = new Set(
  `svg g path rect circle ellipse line polyline polygon title desc defs linearGradient radialGradient stop clipPath text
  tspan`.split(/\s+/),
);
const DEPTH_MAX = 16;
const ELEMENTS_MAX = 2_000;
const SVG = 'http://www.w3.org/2000/svg';

const DECLARATION =
  /^<\?xml[ \t\r\n]+version=["']1\.0["'](?:[ \t\r\n]+encoding=["']utf-8["'])?(?:[ \t\r\n]+standalone=["'](?:yes|no)["'])?[ \t\r\n]*\?>/i;
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9]*)/y;
// White space of XML: of the rest of what \s means, a browser makes an error.
const ATTRIBUTE = /[ \t\r\n]+([A-Za-z][\w:.-]*)[ \t\r\n]*=[ \t\r\n]*("[^"<]*"|'[^'<]*')/y;
const END = /[ \t\r\n]*(\/?)>/y;
const WORDS = /[^ \t\r\n]/;
/** XML 1.0, section 2.2. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const VIEW_BOX = /^[ \t\r\n]*(?:[+-]?[\d.]+(?:e[+-]?\d+)?(?:[ \t\r\n]*,[ \t\r\n]*|[ \t\r\n]+|$)){4}$/i;
const ENTITIES = /&(?:amp|lt|gt|quot|apos);/g;
const OWN_REFERENCE = /^url\(#[\w-]+\)$/;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** The problem with a picture's markup, in words for the operator. */
class Refused extends Error {}

/** An element as far as its start tag has been read. */
interface StartTag {
  readonly attributes: ReadonlyMap<string, string>;
  readonly isClosed: boolean;
  readonly end: number;
}

function startTag(text: string, from: number, name: string): StartTag {
  const attributes = new Map<string, string>();
  let at = from;
  for (let found = matchAt(ATTRIBUTE, text, at); found; found = matchAt(ATTRIBUTE, text, at)) {
    const [all, attribute = '', quoted = ''] = found;
    const value = quoted.slice(1, -1);
    if (!ATTRIBUTES.has(attribute) || attributes.has(attribute))
      throw new Refused(`has the attribute ${attribute}, which is not allowed`);
    if (/url|[&\\]/i.test(value) && !OWN_REFERENCE.test(value))
      throw new Refused(`refers to another resource in the attribute ${attribute}`);
    attributes.set(attribute, value);
    at += all.length;
  }
  const end = matchAt(END, text, at);
  if (end === null) throw new Refused(`has a malformed element ${name}`);
  return { attributes, isClosed: end[1] === '/', end: at + end[0].length };
}

/** Reads elements in order; only their ancestors are remembered. */
function readElements(text: string): void {
  const open: string[] = [];
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const words = text.slice(at, next < 0 ? undefined : next);
    if (words.replace(ENTITIES, '').includes('&')) throw new Refused('contains an entity');
    if (WORDS.test(words) && open.length === 0) throw new Refused('is not one SVG element');
    if (words.includes(']]>')) throw new Refused('contains the end of a CDATA section');
    if (next < 0) break;
    const tag = matchAt(TAG, text, next);
    if (tag === null) throw new Refused('contains a comment, a declaration or an instruction');
    const [all, slash, name = ''] = tag;
    if (slash === '/') {
      const end = matchAt(END, text, next + all.length);
      if (open.pop() !== name || end === null || end[1] === '/')
        throw new Refused('has elements that do not match');
      at = next + all.length + end[0].length;
      continue;
    }
    if (!ELEMENTS.has(name)) throw new Refused(`has the element ${name}, which is not allowed`);
    const { attributes, isClosed, end } = startTag(text, next + all.length, name);
    const isRoot = open.length === 0;
    if (isRoot && (count > 0 || name !== 'svg' || attributes.get('xmlns') !== SVG))
      throw new Refused('is not one SVG element');
    if ((attributes.get('xmlns') ?? SVG) !== SVG) throw new Refused('has elements that are not SVG');
    if (isRoot && !VIEW_BOX.test(attributes.get('viewBox') ?? ''))
      throw new Refused('has no viewBox of four numbers');
    count++;
    if (!isClosed) open.push(name);
    if (count > ELEMENTS_MAX || open.length > DEPTH_MAX) throw new Refused('has too many elements');
    at = end;
  }
  if (count === 0 || open.length > 0) throw new Refused('is not one SVG element');
}

/**
 * Whether a text is an SVG that only draws: shapes, gradients and words, without scripts, styles, links, other files and entities.
 *
 * @returns what is wrong, in words for the operator that follow the file's name; undefined = it can be shown
 */
export function whySvgRefused(text: string): string | undefined {
  try {
    if (NOT_XML.test(text)) throw new Refused('contains characters that XML does not allow');
    readElements(text.replace(/^\ufeff/, '').replace(DECLARATION, ''));
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
