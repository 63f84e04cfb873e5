import { describe, expect, test } from 'bun:test';
import { crc32, deflateSync } from 'node:zlib';
import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { whyNameRefused } from '../../../src/domain/brand/brand.ts';
import { pngPicture } from '../../../src/domain/brand/png-logo.ts';
import { whySvgRefused } from '../../../src/domain/brand/svg-logo.ts';

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"${attributes}>${content}</svg>`;

describe('an SVG', () => {
  test.each([
    svg('<path d="M0 0h10v10z"/>'),
    `<?xml version="1.0" encoding="UTF-8"?>\n${svg('<title>Us &amp; you</title>')}\n`,
    svg(
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs><rect fill="url(#a)" width="3" height=\'3\'/>',
    ),
    svg('<g transform="scale(2)"><text x="1" font-family="serif">Us</text></g>'),
    `\ufeff${svg('\t<g\r\n id = "a"\n/>')}\r\n`,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox=" -1.5,0 +.5e2 , 10 "/>',
  ])('that only draws is accepted: %s', (text) => {
    expect(whySvgRefused(text)).toBeUndefined();
  });

  test.each([
    ['a script', svg('<script>alert(1)</script>'), 'element script'],
    ['a script in another case', svg('<SCRIPT>alert(1)</SCRIPT>'), 'element SCRIPT'],
    ['an event handler', svg('', ' onload="alert(1)"'), 'attribute onload'],
    ['a handler on a shape', svg('<path onclick="x()" d="M0 0"/>'), 'attribute onclick'],
    ['HTML', svg('<foreignObject><b>x</b></foreignObject>'), 'element foreignObject'],
    ['a style sheet', svg('<style>*{fill:url(http://a.example)}</style>'), 'element style'],
    ['styles', svg('<path style="fill:url(http://a.example)"/>'), 'attribute style'],
    ['another file', svg('<image href="http://a.example/x.png"/>'), 'element image'],
    ['a link', svg('<a href="javascript:alert(1)"><path/></a>'), 'element a'],
    ['copies', svg('<use href="#a"/>'), 'element use'],
    ['another fill', svg('<path fill="url(http://a.example/#x)"/>'), 'attribute fill'],
    ['another fill, hidden', svg('<path fill="&#117;rl(http://a.example)"/>'), 'attribute fill'],
    ['an animation', svg('<set attributeName="href" to="x"/>'), 'element set'],
    ['a document type', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, 'a declaration'],
    ['an entity', svg('<title>&a;</title>'), 'an entity'],
    ['a section', svg('<![CDATA[<script>]]>'), 'a declaration'],
    ['a style sheet beside it', `<?xml-stylesheet href="x"?>${svg('')}`, 'an instruction'],
    ['a prefix', svg('<svg:script/>'), 'malformed'],
    ['an element that is open', svg('<g>'), 'do not match'],
    ['two pictures', svg('') + svg(''), 'not one SVG'],
    ['words after it', `${svg('')}x`, 'not one SVG'],
    ['another element', '<html></html>', 'element html'],
    ['no name space', '<svg viewBox="0 0 1 1"/>', 'not one SVG'],
    ['no size', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'viewBox'],
    ['an attribute twice', svg('<path d="M0 0" d="M1 1"/>'), 'attribute d'],
    ['great depth', svg('<g>'.repeat(40) + '</g>'.repeat(40)), 'too many'],
    ['many elements', svg('<path/>'.repeat(3_000)), 'too many'],
    ['nothing', '', 'not one SVG'],
    ['NUL', svg('<title>\0</title>'), 'XML does not allow'],
    ['a control character', svg('<g id="\u0001"/>'), 'XML does not allow'],
    ['no character', svg('<title>\uffff</title>'), 'XML does not allow'],
    ['half a character', svg('<title>\ud800</title>'), 'XML does not allow'],
    ['other white space', svg('<g\u00a0id="a"/>'), 'malformed'],
    ['a vertical tab', svg('<g\u000bid="a"/>'), 'XML does not allow'],
    ['other white space after it', `${svg('')}\u00a0`, 'not one SVG'],
    ['the end of a section', svg('<title>]]></title>'), 'end of a CDATA section'],
    ['elements of HTML', svg('<title xmlns="http://www.w3.org/1999/xhtml">x</title>'), 'not SVG'],
    ['another encoding', `<?xml version="1.0" encoding="UTF-16"?>${svg('')}`, 'a declaration'],
    ['a declaration that is none', `<?xml nonsense?>${svg('')}`, 'a declaration'],
    ['white space before its declaration', ` <?xml version="1.0"?>${svg('')}`, 'a declaration'],
    ['a size of words', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="big"/>', 'viewBox'],
    ['a size of three numbers', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1"/>', 'viewBox'],
  ])('with %s is refused in words', (_, text, words) => {
    expect(whySvgRefused(text)).toContain(words);
  });

  test('of any pieces that is accepted is well-formed', () => {
    const pieces = fc.constantFrom(
      ...['<g>', '</g>', '<path d="M0 0"/>', '<script>', '</script>', ' onload="x"', 'x', '&amp;', '&x;'],
      ...[
        '<!--',
        '-->',
        '<?x?>',
        '"',
        "'",
        '>',
        '<',
        '/>',
        'href="#a"',
        '</svg>',
        '<svg>',
        '\0',
        '\u00a0',
        ']]>',
        '\u000b',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = svg(parts.join(''));
        if (whySvgRefused(text) !== undefined) return;
        const onError = (_: string, message: string) => {
          throw new Error(message);
        };
        const root = new DOMParser({ onError }).parseFromString(text, 'image/svg+xml').documentElement;
        expect(root?.getElementsByTagName('script').length).toBe(0);
      }),
    );
  });
});

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
const header = (width: number, height: number, ...kind: number[]) => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width);
  data.writeUInt32BE(height, 4);
  data.set([8, 0, ...kind].slice(kind.length > 0 ? 2 : 0), 8);
  return chunk('IHDR', data);
};
const PIXELS = chunk('IDAT', deflateSync(Buffer.from([0, 0])));
const pixelsOf = (bytes: number) => chunk('IDAT', deflateSync(Buffer.alloc(bytes)));
const PALETTE = chunk('PLTE', Buffer.alloc(3));
const END = chunk('IEND', Buffer.alloc(0));
const png = (...chunks: Buffer[]) => new Uint8Array(Buffer.concat([Buffer.from(SIGNATURE), ...chunks]));

describe('a PNG', () => {
  test('loses only its texts and places', () => {
    const plain = png(header(1, 1), PIXELS, END);
    expect(pngPicture(plain)).toEqual(plain);
    const text = chunk('tEXt', Buffer.from('Comment\0<script>'));
    const place = chunk('eXIf', Buffer.from('52.5 N'));
    expect(pngPicture(png(header(1, 1), text, place, PIXELS, END))).toEqual(plain);
  });

  test.each([
    ['huge', png(header(30_000, 30_000), PIXELS, END), '30000 by 30000 pixels'],
    ['without a side', png(header(0, 1), PIXELS, END), '0 by 1'],
    ['cut off', png(header(1, 1), PIXELS, END).slice(0, -3), 'broken'],
    ['without an end', png(header(1, 1), PIXELS), 'broken'],
    ['without a picture', png(header(1, 1), END), 'broken'],
    ['with something after it', png(header(1, 1), PIXELS, END, chunk('IDAT', Buffer.from('x'))), 'broken'],
    ['with trailing markup', new Uint8Array([...png(header(1, 1), PIXELS, END), 60, 115]), 'broken'],
    ['with a wrong checksum', png(header(1, 1), Buffer.from(PIXELS).fill(7, 9, 10), END), 'broken'],
    ['that begins otherwise', png(PIXELS, header(1, 1), END), 'broken'],
    ['with two headers', png(header(1, 1), header(9_000, 9_000), PIXELS, END), 'broken'],
    [
      'with pixels in two places',
      png(header(1, 1), PIXELS, chunk('tEXt', Buffer.from('x')), PIXELS, END),
      'broken',
    ],
    [
      'with something in its end',
      png(header(1, 1), PIXELS, chunk('IEND', Buffer.from('<script>'))),
      'broken',
    ],
    ['of pixels that are none', png(header(1, 1), chunk('IDAT', Buffer.from('none')), END), 'broken'],
    ['of too few pixels', png(header(2, 2), PIXELS, END), 'broken'],
    ['that unpacks to 50 MB', png(header(1, 1), pixelsOf(50_000_000), END), 'broken'],
    ['of 3 bits', png(header(1, 1, 3, 0), PIXELS, END), 'broken'],
    ['of a colour that is none', png(header(1, 1, 8, 5), PIXELS, END), 'broken'],
    ['of 16 bits in a palette', png(header(1, 1, 16, 3), PALETTE, PIXELS, END), 'broken'],
    ['without its palette', png(header(1, 1, 8, 3), PIXELS, END), 'broken'],
    ['with its palette after it', png(header(1, 1, 8, 3), PIXELS, PALETTE, END), 'broken'],
    ['packed otherwise', png(header(1, 1, 8, 0, 1), PIXELS, END), 'broken'],
    ['interlaced otherwise', png(header(1, 1, 8, 0, 0, 0, 2), PIXELS, END), 'broken'],
  ])('that is %s is refused in words', (_, bytes, words) => {
    expect(pngPicture(bytes)).toEqual(expect.stringContaining(words));
  });

  test.each([
    ['of a palette', [8, 3], 8 * 9, [PALETTE]],
    ['of single bits', [1, 0], 8 * 2, []],
    ['with colours and transparency of 16 bits', [16, 6], 8 * (1 + 8 * 8), []],
    ['interlaced', [8, 2, 0, 0, 1], 15 * 1 + 8 * 8 * 3, []],
    ['in two parts', [8, 0], 8 * 9, []],
  ] as const)('%s is accepted', (name, kind, bytes, more) => {
    const packed = deflateSync(Buffer.alloc(bytes));
    const parts = name === 'in two parts' ? [packed.subarray(0, 4), packed.subarray(4)] : [packed];
    const picture = png(header(8, 8, ...kind), ...more, ...parts.map((part) => chunk('IDAT', part)), END);
    expect(pngPicture(picture)).toEqual(picture);
  });

  test('of any bytes never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void pngPicture(new Uint8Array(bytes))),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void pngPicture(png(Buffer.from(bytes)))),
    );
  });
});

test.each([
  ['<b>Us</b>', 'markup'],
  ['Us\r\nBcc: x', 'invisible'],
  ['\u202eUs', 'invisible'],
  ['Us\u200b', 'invisible'],
  [' Us', 'a space'],
  ['', 'empty'],
  ['x'.repeat(41), 'longer'],
  ['\ud800', 'invisible'],
  ['\u3164', 'invisible'],
  ['\u2800', 'invisible'],
  ['U\u034fs', 'invisible'],
])('the name %p is refused in words', (name, words) => {
  expect(whyNameRefused(name)).toContain(words);
});

test.each(['Brightside Security', 'Müller & Söhne', '安全', 'O’Neill "Web" 100%'])(
  'the name %p is accepted',
  (name) => {
    expect(whyNameRefused(name)).toBeUndefined();
  },
);
