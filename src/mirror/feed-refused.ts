import { Fault } from '../lib/fault.ts';

/** Why a whole file is refused. */
export type FeedRefusal =
  /** A link, a directory or a device, or a file that cannot be opened. */
  | 'not_a_file'
  /** Not the expected file, or a file that changed while it was read. */
  | 'other_content'
  /** A bundle without a valid signature of the trusted key. */
  | 'untrusted'
  /** The file is truncated. */
  | 'truncated'
  /** The content is not valid for its format. */
  | 'malformed'
  /** A limit is exceeded. */
  | 'too_large'
  /** The format is unknown. */
  | 'unrecognised'
  /** The format is known, but nothing in the file is usable. */
  | 'nothing_usable';

/** The refusal of a whole file. The message states the problem and the remedy, and quotes nothing from the file. */
export class FeedRefused extends Fault {
  readonly why: FeedRefusal;

  constructor(why: FeedRefusal, message: string) {
    super(message);
    this.why = why;
  }
}

export const malformed = (what: string): FeedRefused =>
  new FeedRefused('malformed', `${what}. Download the feed again, and check that it is the right file.`);

export const truncated = (where: string): FeedRefused =>
  new FeedRefused('truncated', `The feed ends within ${where}. Download it again.`);

/** The refusal of a file that changed while it was read. */
export const changed = (): FeedRefused =>
  new FeedRefused(
    'other_content',
    'The file changed while it was read. Try again when nothing writes to it.',
  );
