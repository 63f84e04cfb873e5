import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { analyzeCode } from '../../src/analysis/code.ts';
import { judgeByModel } from '../../src/analysis/model/model.ts';
import { namesIn } from '../../src/analysis/model/names.ts';
import { MODEL, signalFor } from '../../src/analysis/model/signals.ts';
import { newTokens, readTokens } from '../../src/analysis/model/tokens.ts';
import base64 from '../../src/analysis/model/weights.b64' with { type: 'text' };
import { readWeights, writeWeights } from '../../src/analysis/model/weights.ts';
import { worstWindow } from '../../src/analysis/model/windows.ts';
import { Findings } from '../../src/analysis/signal.ts';
import { judge, SUSPICIOUS_MIN } from '../../src/analysis/verdict.ts';
import { OWN_CASES } from '../evaluation/cases/index.ts';

const weights = readWeights(base64);
const tokens = newTokens();
const codes = (wanted: 'malicious' | 'clean') =>
  OWN_CASES.filter(({ category, label }) => category === 'code' && label === wanted).flatMap(({ cases }) =>
    cases.map(({ content }) => content),
  );
const malicious = codes('malicious');
const clean = codes('clean');

const worstOf = (content: string, withTables = true) => {
  readTokens(content, tokens);
  return worstWindow(tokens, weights, withTables);
};
const scoreOf = (content: string) => worstOf(content)?.score ?? weights.bias;
const findingsOf = (content: string, ...judges: ((content: string, findings: Findings) => void)[]) => {
  const findings = new Findings();
  for (const each of judges) each(content, findings);
  return findings.all;
};

const ORDINARY = `
function shop_item_title( $item_id, $before = '', $after = '' ) {
  $item = get_post( $item_id );
  if ( ! $item || 'publish' !== $item->post_status ) {
    return '';
  }
  $title = apply_filters( 'the_title', $item->post_title, $item->ID );
  return $before . esc_html( $title ) . $after;
}
add_filter( 'shop_title', 'shop_item_title', 10, 3 );
`;
const padded = (content: string, kib: number) =>
  `<?php${ORDINARY.repeat((kib * 1024) / ORDINARY.length)}?>\n${content}`;
/** Shells that the model finds without the rules. */
const shells = malicious.filter(
  (content) => content.startsWith('<?php') && (scoreOf(content) - weights.zero) * weights.slope >= 2,
);

const anyCode = fc
  .array(
    fc.oneof(
      fc.constantFrom(...malicious, ...clean),
      fc.constantFrom('"', "'", '`', '/*', '*/', '//', '#', '?>', '<!--', '\\', '$', '\n'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

describe('the model', () => {
  test('ignores tables in a script: an enumeration, the end of a font', () => {
    const letters = Array.from(
      { length: 90 },
      (_, index) => `${String.fromCharCode(97 + (index % 26))}${index}`,
    );
    const enumeration = letters
      .map((each, index) => `Codes[Codes["${each}"] = ${index}] = "${each}";`)
      .join('\n');
    const bytes = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 48_271) % 251)).toString(
      'base64',
    );
    for (const content of [enumeration, `${bytes}";`]) {
      expect(worstOf(content)).toBeDefined();
      expect(worstOf(content, false)).toBeUndefined();
      expect(worstOf(`${content} run(Codes);`.slice(-3_000), false)).toBeDefined();
    }
  });

  test('never lowers a score, and gives the same result each time', () => {
    fc.assert(
      fc.property(anyCode, (content) => {
        const rules = judge(findingsOf(content, analyzeCode), 'code').score;
        const both = findingsOf(content, analyzeCode, judgeByModel);
        expect(judge(both, 'code').score).toBeGreaterThanOrEqual(rules);
        expect(findingsOf(content, analyzeCode, judgeByModel)).toEqual(both);
      }),
      { numRuns: 200 },
    );
  });

  test('alone makes a content suspicious at most', () => {
    for (const steps of Object.values(MODEL)) {
      expect(steps.every(({ weight }) => weight > 0)).toBe(true);
      const strongest = signalFor(steps, Number.POSITIVE_INFINITY);
      expect(strongest).toBe(steps.at(-1));
      const { verdict, score } = judge([{ signal: strongest ?? expect.unreachable(), where: '' }], 'code');
      expect([verdict, score > SUSPICIOUS_MIN]).toEqual(['suspicious', true]);
      expect(signalFor(steps, 0.4)).toBeUndefined();
      expect(signalFor(steps, -9)).toBeUndefined();
    }
  });

  test('alone reports none of our clean code', () => {
    // The stub of an encoder looks like what packers write; a rule recognizes it.
    for (const content of clean.filter((each) => !each.includes('ionCube Loader')))
      expect(judge(findingsOf(content, judgeByModel), 'code').verdict).toBe('clean');
  });

  test('gives the same result after ordinary code', () => {
    expect(shells.length).toBeGreaterThan(20);
    const long = shells.join('?>\n');
    const alone = scoreOf(long);
    for (const kib of [1, 8, 20, 40]) expect(scoreOf(padded(long, kib))).toBeGreaterThan(alone * 0.9);
  });

  test('names the line where the window begins', () => {
    for (const shell of shells) {
      const content = padded(shell, 8);
      const shellLine = content.slice(0, content.length - shell.length).split('\n').length;
      const window = worstOf(content) ?? expect.unreachable();
      const end = tokens.starts[window.to - 1] ?? 0;
      const where = findingsOf(content, judgeByModel)[0]?.where;
      if (where === undefined) continue;
      const line = Number(/^from line (\d+)/.exec(where)?.[1]);
      expect(line).toBeLessThanOrEqual(shellLine);
      expect(content.slice(0, end).split('\n').length).toBeGreaterThanOrEqual(shellLine);
      expect(line).toBe(content.slice(0, tokens.starts[window.from]).split('\n').length);
    }
  });

  test('names only words of the window', () => {
    const content = '<?php $evaluation = medieval($x); $b = BASE64_DECODE($a); mail_to($b);';
    const window = worstOf(content) ?? expect.unreachable();
    expect(namesIn(content, tokens, window)).toEqual(['base64_decode']);
  });
});

describe('its tokens', () => {
  test('omit comments, but not text after a closing tag or in a string', () => {
    const read = (content: string) => {
      readTokens(content, tokens);
      return [...tokens.texts.subarray(0, tokens.count)];
    };
    const plain = read('<?php $a = "x"; b(); ?> c');
    expect(read('<?php /* 1 */ $a /* 2 */ = "x"; # 3 "\n b(); // it\'s 4 ?> c')).toEqual(plain);
    expect(read('<?php $A = "x"; <!-- 5 --> B(); ?> c')).toEqual(plain);
    expect(read('"/*" a "*/"')).toContain(read('a')[0] as number);
    expect(read('"// a" b').length).toBe(5);
    expect(read("it's a # b").length).toBe(4);
  });

  test('are read in linear time', () => {
    for (const piece of ['/*', "'", '"\\', '// ?>', '# ', '<!--', '`', "a'b", '\\"', '$', '<?']) {
      const quickest = (content: string) =>
        Math.min(
          ...Array.from({ length: 5 }, () => {
            const start = performance.now();
            worstOf(content);
            return performance.now() - start;
          }),
        );
      expect([piece, quickest(piece.repeat(300_000 / piece.length)) < 200]).toEqual([piece, true]);
    }
  });
});

test('weights are written as they are read', () => {
  expect(writeWeights(weights)).toBe(base64);
  expect(() => readWeights(base64.slice(4))).toThrow();
});
