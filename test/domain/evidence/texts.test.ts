import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkpointText, parseCheckpoint } from '../../../src/domain/evidence/checkpoint.ts';
import { parseProof, proofText } from '../../../src/domain/evidence/tlog-proof.ts';

/** Examples of c2sp.org/tlog-checkpoint and c2sp.org/tlog-proof; their signatures are shortened there. */
const CHECKPOINT = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const NOTE = `example.com/fancylog
109482
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

— example.com/fancylog hI2DJw[...]1roloI=
— witness1.example mJirIklj[...]qY9v2B/5bg==
`;
const HASHES = [
  'gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=',
  'B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=',
  'EKNzoDWG8LGC0Yp9o+sv3qllpMP9uHQ9B20KNL+Q1zs=',
  'RoopEkOdqkYqMB4MJXrbt/hMjOxsVn0IrWjpz1ZMMes=',
  'AHCioX9nLjsrse6YhjRRmk1WUEirVOLLRoOQ6vfO5vk=',
];
const EXTRA = 'extra YWdlLXYxLjIuMS1kYXJ3aW4tYXJtNjQudGFyLmd6kYXJ3aW4tYXJ\n';
const PROOF = `c2sp.org/tlog-proof@v1\nindex 73894\n${HASHES.join('\n')}\n\n${NOTE}`;
const EXAMPLE = { index: 73_894, hashes: HASHES.map((hash) => Buffer.from(hash, 'base64')), note: NOTE };

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const count = fc.maxSafeNat();

describe('a checkpoint', () => {
  test('parses and formats as the example of the specification', () => {
    const parsed = parseCheckpoint(CHECKPOINT);
    expect(parsed).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
    expect(parsed && checkpointText(parsed)).toBe(CHECKPOINT);
  });

  test('may have extension lines, which are ignored', () => {
    expect(parseCheckpoint(`${CHECKPOINT}more\nof that\n`)).toEqual(parseCheckpoint(CHECKPOINT));
  });

  test.each([
    ['nothing', ''],
    ['an empty line', '\n'],
    ['no origin', CHECKPOINT.replace('example.com/behind-the-sofa', '')],
    ['no root hash', CHECKPOINT.replace(/Cs.*\n/, '')],
    ['no newline at the end', CHECKPOINT.slice(0, -1)],
    ['an empty line at the end', `${CHECKPOINT}\n`],
    ['an empty line among the extension lines', `${CHECKPOINT}more\n\nmore\n`],
    ['leading zeros', CHECKPOINT.replace('2085', '02085')],
    ['a sign', CHECKPOINT.replace('2085', '+2085')],
    ['a fraction', CHECKPOINT.replace('2163', '2163.0')],
    ['an exponent', CHECKPOINT.replace('20852163', '2e7')],
    ['a space', CHECKPOINT.replace('2085', ' 2085')],
    ['digits of another script', CHECKPOINT.replace('20852163', '٢')],
    ['a size above the largest safe integer', CHECKPOINT.replace('20852163', '9007199254740992')],
    ['base64 for URLs', CHECKPOINT.replace('/Xajj', '_Xajj')],
    ['base64 without padding', CHECKPOINT.replace('2I=', '2I')],
    ['base64 with non-zero spare bits', CHECKPOINT.replace('2I=', '2J=')],
    ['a shorter root hash', CHECKPOINT.replace('CsUY', '')],
    ['a carriage return', CHECKPOINT.replaceAll('\n', '\r\n')],
  ])('is malformed with %s', (_, text) => {
    expect(parseCheckpoint(text)).toBeUndefined();
  });

  test('parses to the values that it was formatted from', () => {
    const origin = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\n'));
    fc.assert(
      fc.property(
        fc.record({ origin, size: count, rootHash: hash }, { noNullPrototype: true }),
        (checkpoint) => {
          expect(parseCheckpoint(checkpointText(checkpoint))).toEqual(checkpoint);
        },
      ),
    );
  });
});

describe('a proof', () => {
  test('parses and formats as the example of the specification', () => {
    expect(parseProof(PROOF)).toEqual(EXAMPLE);
    expect(proofText(EXAMPLE)).toBe(PROOF);
  });

  test('may have extra data, which is ignored', () => {
    for (const extra of [EXTRA, 'extra \n', 'extra AA==\n'])
      expect(parseProof(PROOF.replace('index', `${extra}index`))).toEqual(EXAMPLE);
  });

  test.each([
    ['nothing', ''],
    ['another version', PROOF.replace('@v1', '@v2')],
    ['no index', PROOF.replace('index 73894\n', '')],
    ['an index with leading zeros', PROOF.replace('73894', '073894')],
    ['an index above the largest safe integer', PROOF.replace('73894', '9007199254740992')],
    ['a negative index', PROOF.replace('73894', '-1')],
    ['two spaces', PROOF.replace('index ', 'index  ')],
    ['two lines with extra data', PROOF.replace('index', 'extra AA==\nextra AA==\nindex')],
    ['extra data after the index', PROOF.replace('73894\n', '73894\nextra AA==\n')],
    ['extra data that is not base64', PROOF.replace('index', 'extra A_==\nindex')],
    ['extra data without padding', PROOF.replace('index', 'extra AA\nindex')],
    ['a hash in base64url', PROOF.replace('//1U8', '__1U8')],
    ['a shorter hash', PROOF.replace('gSKy', '')],
    ['65 hashes', PROOF.replace(/gSKy.*\n/, `${HASHES[0]}\n`.repeat(61))],
    ['no empty line', PROOF.replace('\n\n', '\n')],
    ['text that is not a checkpoint', PROOF.slice(0, -NOTE.length)],
    ['returns', PROOF.replaceAll('\n', '\r\n')],
  ])('is malformed with %s', (_, text) => {
    expect(parseProof(text)).toBeUndefined();
  });

  test('parses to the values that it was formatted from', () => {
    const hashes = fc.array(hash, { maxLength: 64 });
    const note = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(fc.record({ index: count, hashes, note }, { noNullPrototype: true }), (proof) => {
        expect(parseProof(proofText(proof))).toEqual(proof);
      }),
    );
  });
});
