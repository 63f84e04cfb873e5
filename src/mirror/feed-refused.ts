import { Fault } from '../lib/fault.ts';

/** Why a file is refused as a whole. */
export type FeedRefusal =
  /** It is a link, a directory or a device, or cannot be opened. */
  | 'not_a_file'
  /** It is not the one that was expected, or was written to while it was read. */
  | 'other_content'
  /** It is a bundle that the trusted key did not sign. */
  | 'untrusted'
  /** It ends too early. */
  | 'truncated'
  /** It breaks the rules of its form. */
  | 'malformed'
  /** It is beyond a limit. */
  | 'too_large'
  /** It is none of the forms that are read. */
  | 'unrecognised'
  /** Its form was recognised, but nothing in it could be used. */
  | 'nothing_usable';

/** A file that is no feed to be trusted. The message says what was found and what to do; it quotes nothing of the file. */
export class FeedRefused extends Fault {
  readonly why: FeedRefusal;

  constructor(why: FeedRefusal, message: string) {
    super(message);
    this.why = why;
  }
}

/** The refusal of a file that breaks the rules of its form. */
export const malformed = (what: string): FeedRefused =>
  new FeedRefused('malformed', `${what}. Download the feed again, and check that it is the right file.`);

/** The refusal of a file that ends too early. */
export const truncated = (where: string): FeedRefused =>
  new FeedRefused('truncated', `The feed ends within ${where}. Download it again.`);

/** The refusal of a file that something writes to. */
export const changed = (): FeedRefused =>
  new FeedRefused(
    'other_content',
    'The file changed while it was read. Try again when nothing writes to it.',
  );
