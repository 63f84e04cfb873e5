import { isCve } from '../../domain/vulnerability/cve.ts';
import { malformed, truncated } from '../feed-refused.ts';
import type { FeedTally } from '../feed-tally.ts';
import { momentOf } from './dates.ts';
import type { DocumentReader, FeedReader } from './format.ts';

const HASH = 0x23;
const LINE_CHARACTERS_MAX = 1_024;
const BEGINNING = '#model_version:';
const MODEL = /^#model_version:(v[0-9.]{1,32}),score_date:(\S{10,32})$/;
const HEADER = 'cve,epss,percentile';
const NUMBER = /^[0-9](?:\.[0-9]{1,32})?(?:e-[0-9]{1,3})?$/i;

/** Whether a text begins like a file of EPSS scores. */
export const isEpss = (beginning: string): boolean => beginning.startsWith(BEGINNING);

/** Reads FIRST's daily scores: a line with model and date, a header line, and one line per CVE. */
export function epssReader(tally: FeedTally, source = 'epss'): FeedReader {
  let modelVersion: string | null = null;
  let scoredAt: number | null = null;
  const line = (text: string, number: number) => {
    if (number === 1) {
      const [, version, date] = MODEL.exec(text) ?? [];
      scoredAt = momentOf(date);
      modelVersion = version ?? null;
      if (modelVersion === null || scoredAt === null)
        throw malformed('The first line of the scores does not name their model and date');
      tally.assertFeedNotAhead(scoredAt);
    } else if (number === 2) {
      if (text !== HEADER) throw malformed('The scores have unexpected columns');
    } else if (text !== '') readScore(text, number, tally);
  };
  return {
    open: (firstByte) => (firstByte === HASH ? linesReader(line) : undefined),
    finish: () => ({
      source,
      license: 'Free to use with attribution',
      attribution: 'EPSS scores by FIRST.org, https://www.first.org/epss',
      publishedAt: scoredAt,
      epssModelVersion: modelVersion,
    }),
  };
}

function readScore(text: string, number: number, tally: FeedTally): void {
  tally.see();
  const [cve, epss, rank, ...others] = text.split(',');
  const [probability, percentile] = [scoreOf(epss), scoreOf(rank)];
  if (!isCve(cve) || others.length > 0 || probability === undefined || percentile === undefined)
    tally.refuse(isCve(cve) ? cve : `line ${number}`, 'is not a CVE with two numbers from 0 to 1');
  else tally.read(null, [{ kind: 'epss', cve, probability, percentile }]);
}

/** Parses a number from 0 to 1. */
function scoreOf(text: string | undefined): number | undefined {
  if (text === undefined || !NUMBER.test(text)) return undefined;
  const score = Number(text);
  return score <= 1 ? score : undefined;
}

/** Splits into lines. Rejects a last line without a line break: a number may be truncated, which cannot be detected otherwise. */
function linesReader(take: (line: string, number: number) => void): DocumentReader {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? utf8.decode() : utf8.decode(chunk, { stream: true });
    } catch {
      throw malformed('The scores are not UTF-8');
    }
  };
  return {
    push(chunk) {
      const lines = (rest + decode(chunk)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LINE_CHARACTERS_MAX)
        throw malformed('The scores contain a line that is far too long');
      for (const line of lines) {
        number += 1;
        take(line.endsWith('\r') ? line.slice(0, -1) : line, number);
      }
    },
    end() {
      if (rest + decode() !== '' || number < 2) throw truncated('a line');
    },
  };
}
