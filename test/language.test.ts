import { describe, expect, test } from 'bun:test';
import { ALLOWED } from './language/allowed.ts';
import { CONTRACT_TEXTS } from './language/contracts.ts';
import { findingsIn } from './language/patterns.ts';
import { passagesOf, sentencesOf, wordsIn } from './language/prose.ts';
import { CLEAN, HANDBOOK, passagesOfPage, type Source } from './language/sources.ts';

// What people read is plain English. A phrase that is right where it is goes into language/allowed.ts, with the reason.

const ALLOWED_MAX = 20;
const WORDS_MAX = 35;
const VERBS: ReadonlySet<string> = new Set(
  `Acknowledge Add Allow Analyze Assess Attest Block Cancel Change Create Delete Explain Export Get Import Issue
  Lift List Match Pause Publish Queue Rebuild Register Release Remove Report Restore Resume Retry Revoke Rotate Scan Schedule Score Search Send Set Start Suspend Test Unblock Verify Withdraw`.split(
    /\s+/,
  ),
);

const foundIn = ({ texts }: Source) =>
  texts().flatMap(({ place, text }) => findingsIn(text).map((finding) => ({ place, ...finding })));
const isAllowed = (at: { place: string; found: string }) =>
  ALLOWED.some(({ place, found }) => place === at.place && found === at.found);

test.each(CLEAN.map((source) => [source.name, source] as const))('%s: plain English', (_, source) => {
  expect(source.texts().length).toBeGreaterThan(0);
  expect(foundIn(source).filter((finding) => !isAllowed(finding))).toEqual([]);
});

test.each(HANDBOOK)(`%s: no sentence over ${WORDS_MAX} words`, (page) => {
  const sentences = passagesOfPage(page).flatMap(sentencesOf);
  expect(sentences.length).toBeGreaterThan(0);
  expect(sentences.filter((sentence) => wordsIn(sentence) > WORDS_MAX)).toEqual([]);
});

test('the summary of every operation starts with a verb', () => {
  const summaries = CONTRACT_TEXTS.filter(({ name }) => name === 'summary').map(({ text }) => text);
  expect(summaries.length).toBeGreaterThan(60);
  expect(summaries.filter((text) => !VERBS.has(text.split(' ')[0] ?? ''))).toEqual([]);
});

test(`at most ${ALLOWED_MAX} phrases are allowed, each with a reason, and each is there`, () => {
  expect(ALLOWED.length).toBeLessThanOrEqual(ALLOWED_MAX);
  const found = CLEAN.flatMap(foundIn);
  for (const { place, found: phrase, reason } of ALLOWED) {
    expect([place, reason.length > 10]).toEqual([place, true]);
    expect([place, phrase, found.some((at) => at.place === place && at.found === phrase)]).toEqual([
      place,
      phrase,
      true,
    ]);
  }
});

describe('the guard', () => {
  test.each([
    ['Whoever acts', ['whoever']],
    ['It is told to stop, and mends itself anew.', ['anew', 'mends', 'is told']],
    ['Amend it. The renewed key is solid.', []],
    ['no setting and no domain and', ['no setting and', 'no domain and']],
  ])('finds the phrases of %p', (text, found) => {
    expect(findingsIn(text).map((finding) => finding.found)).toEqual(found);
  });

  test('reads headings, paragraphs, lists, cells and code, and takes inline code for one word', () => {
    const markdown =
      '# A `b c` title\n\nOne [link](#x). **Two** &amp; three.\n\n- item\n\n  more\n\n| h |\n|---|\n| cell |\n\n```sh\nls # all\n```\n';
    expect(passagesOf(markdown)).toEqual([
      ...['A code title', 'One link. Two & three.', 'item', 'more', 'h', 'cell'].map((text) => ({
        text,
        isCode: false,
      })),
      { text: 'ls # all', isCode: true },
    ]);
  });

  test.each([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Set code to 1.5 MiB. code starts it.', ['Set code to 1.5 MiB.', 'code starts it.']],
    ['See code (the default). It ends.', ['See code (the default).', 'It ends.']],
  ])('divides %p into sentences', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });

  test('counts words, and no punctuation', () => {
    expect(wordsIn('One, two - three & four.')).toBe(4);
  });
});
