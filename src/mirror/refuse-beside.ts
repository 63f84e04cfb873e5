import type { FeedFormat, FeedSummary } from './facts.ts';
import { FeedRefused } from './feed-refused.ts';

/** Formats whose feeds are complete lists of one date, so two of them cannot be parts of one feed. */
const WHOLE_LISTS: ReadonlySet<FeedFormat> = new Set<FeedFormat>(['kev', 'epss']);

type Feed = Pick<FeedSummary, 'source' | 'format' | 'sha256'>;

/** Refuses a feed that cannot be imported together with the previous ones. Throws {@link FeedRefused}. */
export function refuseBeside({ source, format, sha256 }: Feed, before: readonly Feed[]): void {
  if (before.some((other) => other.sha256 === sha256))
    throw new FeedRefused('other_content', 'The same file was named twice. Name it once.');
  const ofSameSource = before.filter((other) => other.source === source);
  if (ofSameSource.some((other) => other.format !== format))
    throw new FeedRefused(
      'other_content',
      'Another of these files has a source of the same name, but another format. Import them one after another, with --source for one.',
    );
  if (WHOLE_LISTS.has(format) && ofSameSource.length > 0)
    throw new FeedRefused(
      'other_content',
      `Another of these files is ${source} too, and each is a complete list. Name the newest only.`,
    );
}
