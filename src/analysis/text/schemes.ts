import { type Signal, signal } from '../signal.ts';
import { CONCEPT, conceptsIn } from './concepts.ts';
import { reportsFraud } from './reported-fraud.ts';
import { TEXT } from './signals.ts';

/** Schemes that consist of several concepts, in any language. Weights as in php/signals.ts. */
export const SCHEME = {
  account: signal('phishing', 5.6, 'a threatened account, and a link to save it'),
  haste: signal('phishing', 1.4, 'an urgent request to confirm an account through a link'),
  parcel: signal('phishing', 5.4, 'a parcel held until a payment is made through a link'),
  address: signal('phishing', 4.6, 'a parcel held until personal data is entered through a link'),
  refund: signal('phishing', 4.6, 'a refund that requires bank details through a link'),
  order: signal('fraud', 5.2, 'a supposed superior who orders a secret transfer'),
  blackmail: signal('fraud', 6.5, 'blackmail with recordings, to be paid in cryptocurrency'),
  doubling: signal('fraud', 4.6, 'a promise to return twice the cryptocurrency sent'),
  prize: signal('fraud', 3.4, 'a prize to claim through a link'),
  lottery: signal('fraud', 4.6, 'prize money in exchange for bank details'),
  estate: signal('fraud', 5.2, "a dead stranger's millions, to be shared with the reader"),
  debt: signal('phishing', 4.6, 'an urgent demand to pay a fine or debt through a link'),
} as const satisfies Record<string, Signal>;

interface Scheme {
  readonly signal: Signal;
  /** All are required; each may be any of its bits. */
  readonly needs: readonly number[];
  /** Maximum distance in words. */
  readonly within: number;
  /** A further pattern in the text, which is lower-case without accents. */
  readonly also?: RegExp;
}

const { account, blocked, verify, urgent, parcel, fee, pay, refund, transfer, secret, superior } = CONCEPT;
const { crypto, hacked, publish, mine, ignore, previous, instructions, double, need, link } = CONCEPT;
const { you, won, details, dead, sent, debt, sum, share } = CONCEPT;
/** A fortune. Matches lower-case text without accents. */
const MILLIONS =
  /\bmilli?on|\bmio\b|\bmili[oy]n|\bmilho|\bmiljoen|милл?ион|\d[.,]\d{3}[.,]\d{3}|\d{3}[.,]000\b/;
/** How a blackmailer claims to have obtained material. */
const INTRUDED =
  /hack|trojan|spyware|pirat|infi[zc]|infec|infett|breach|взлом|вирус|троян|web-?cam|\b[ck]amer[ae]\b|камер|\bporn|\badult|erwachsene|\bintim|\b(?:video|recorded|filmed|footage)(?: of)? you\b|zhakowa|\binvadi\b/;
const READER =
  /\b(?:you|your|sie|ihre?[nrm]?|dein\w{0,2}|vous|votre|tiene|su|tu|hai|suo|tuo|seu|voce|uw|masz|twoj\w*|panst\w+|siz\w*|\w{2,20}niz)\b|вас|ваш/;
const READER_WON =
  /\b(?:you(?:['’]ve)?|your|sie|ihre?|du|vous|usted|has|ha|hai|voce|tu|uw|jij|siz)\b[^.!?\n]{0,50}\b(?:won|winn|prize|gewonnen|gewinn|gezogen|gagne|gagnant|ganado|ganador|premio|vinto|vinci|ganhou|vencedor|winnaar|wygra|nagrod|kazan|odul)|ganaste|ganhaste|вы выиграли|вам приз/;
/** Claims that the sender cannot be reached by phone. */
const UNREACHABLE =
  /\bcan['’]?t (?:take|answer|talk|speak|receive|make)\b|\b(?:don['’]?t|do not|no) (?:phone )?calls?\b|\b(?:just|only) (?:by |via |reply by )?(?:e-?mail|text|sms)\b|\bnicht (?:erreichbar|telefonieren|sprechen|anrufen)|\bpas (?:joignable|m['’]appeler|parler)|\bno puedo (?:hablar|atender)|\bnon posso (?:parlare|rispondere)|\bnao posso (?:falar|atender)|\bniet (?:bellen|bereikbaar)|не могу говорить/;
const SCHEMES: readonly Scheme[] = [
  { signal: SCHEME.account, needs: [account, blocked, verify | urgent, link], within: 50 },
  { signal: SCHEME.haste, needs: [account, verify, urgent, link], within: 40 },
  { signal: SCHEME.parcel, needs: [parcel, fee, pay | verify, link], within: 50 },
  { signal: SCHEME.address, needs: [parcel, blocked, verify, link], within: 40 },
  { signal: SCHEME.refund, needs: [refund, account, verify, link], within: 50 },
  { signal: SCHEME.order, needs: [transfer, secret, superior, need], within: 60 },
  { signal: SCHEME.blackmail, needs: [crypto, hacked, publish, mine], within: 90 },
  { signal: SCHEME.order, needs: [transfer, superior, need], within: 40, also: UNREACHABLE },
  {
    signal: SCHEME.blackmail,
    needs: [hacked, mine, crypto, sum, pay | sent | transfer, you],
    within: 60,
    also: INTRUDED,
  },
  { signal: SCHEME.prize, needs: [won, you, verify, link], within: 30, also: READER_WON },
  { signal: SCHEME.lottery, needs: [won, you, sum, sent | verify, details], within: 50 },
  { signal: SCHEME.estate, needs: [dead, you, mine, share], within: 70, also: MILLIONS },
  { signal: SCHEME.debt, needs: [debt, pay, link, urgent | blocked], within: 40, also: READER },
  { signal: SCHEME.doubling, needs: [crypto, double, link | mine | verify | pay], within: 40 },
  { signal: TEXT.instructions, needs: [ignore, previous, instructions], within: 6 },
];
/** The positions of the bits in a number. */
const placesOf = (bits: number): readonly number[] =>
  Array.from({ length: 31 }, (_, place) => place).filter((place) => bits & (1 << place));
const READY = SCHEMES.map((scheme) => ({
  ...scheme,
  needs: scheme.needs.map(placesOf),
  concepts: scheme.needs.reduce((all, need) => all | need, 0),
}));

/**
 * Finds schemes: combinations of concepts that are close together. Linear.
 *
 * @param plain the text in lower case without accents
 */
export function findSchemes(text: string, plain: string, report: (signal: Signal, at: number) => void): void {
  const waiting = new Set(READY);
  const lastAt = new Int32Array(31).fill(-1_000_000);
  for (const { concepts, position, at } of conceptsIn(text)) {
    for (let place = 0; 1 << place <= concepts; place++)
      if (concepts & (1 << place)) lastAt[place] = position;
    for (const scheme of waiting) {
      if ((scheme.concepts & concepts) === 0) continue;
      const from = position - scheme.within;
      if (!scheme.needs.every((need) => need.some((place) => (lastAt[place] as number) >= from))) continue;
      waiting.delete(scheme);
      if (scheme.also?.test(plain) === false) continue;
      report(scheme.signal, at);
    }
  }
}

/** References to the reader's property. */
const YOURS =
  /\b(?:your|yours|ihr\p{L}{0,2}|dein\p{L}{0,2}|votre|vos|su|tu|suo|tuo|seu|sua|uw|jouw)(?!\p{L})/iu;
const ASKED =
  /(?<!\p{L})(?:i|my|ich|meine?[mnrs]?|je|mon|ma|mes|mi|mis|yo|io|mio|mia|meu|minha|ik|mijn|moj\p{L}{0,2})(?!\p{L})[^.!?\n]{0,100}\?/iu;
/** Whether a text asks for help with the writer's own affairs and does not address the reader's. */
export const isOwnQuestion = (text: string): boolean => ASKED.test(text) && !YOURS.test(text);
/** A price that has risen. */
const ROSE = /\bdoubl(?:ed|ing) (?:this|last|in|since|over|within the)\b/i;
const GIVES = /\b(?:send|receive|deposit\w*|give ?away|giving|back|transfer)\b/i;

/** Damage to the writer, or a developer's use of "hack". */
const SUFFERED =
  /\b(?:mein|unser|mon|notre|mi|nuestr|mio|nostr|meu|minha|mijn|ons|moj)\p{L}{0,3} [^.!?\n]{0,20}(?:computer|pc|rechner|konto|handy|laptop|telef[oó]n\p{L}?|ordinateur|compte|cuenta|ordenador|conta|wallet|webseite|site)\b[^.!?\n]{0,30}(?:hack|pirat|infi)|\b(?:my|our|his|her|their)\b[^.!?\n]{0,40}\b(?:was|were|been|got|is) (?:hacked|infected|breached|compromised)\b|\b(?:i|we) (?:was|were|got|have been|had been) hacked\b|\bhack(?:s|ed|ing)? (?:together|up|around|on|at)\b|\bhackathons?\b/iu;
const DONE =
  /\b(?:i|we)(?:['’]ve| have)? (?:\w+ )?(?:hacked (?!together|up|around|on|at)|recorded|infected|filmed|breached|installed)|\bich habe [^.!?\n]{0,60}(?:gehackt|infiziert|aufgenommen|gefilmt)|\bj['’]ai [^.!?\n]{0,20}(?:pirat|film|enregistr|infect)|\b(?:he|hemos|ho|abbiamo) (?:hacke|hacker|infec|infett|grabado|registrato)/i;

const AUCTION =
  /\bauctions?\b|\bbid(?:ding|s)?\b|\bauktion|\bench[eè]res?\b|\bsubasta|\ball['’]asta\b|\bleil[aã]o/i;

/** Whether the writer is a customer with a question, or a victim. */
export const isOwnStory = (scheme: Signal, text: string, plain: string): boolean => {
  if (CAUTIONED.has(scheme) && reportsFraud(plain)) return true;
  if (scheme === SCHEME.lottery && AUCTION.test(text)) return true;
  if (scheme === SCHEME.blackmail) return SUFFERED.test(text) && !DONE.test(text);
  if (scheme === SCHEME.doubling) return ROSE.test(text) && !GIVES.test(text);
  return QUESTIONS.has(scheme) && isOwnQuestion(text);
};

/** Schemes that people describe in the fraudsters' words when they warn or report. */
const CAUTIONED: ReadonlySet<Signal> = new Set([
  SCHEME.blackmail,
  SCHEME.prize,
  SCHEME.lottery,
  SCHEME.estate,
  SCHEME.debt,
  SCHEME.order,
]);
const QUESTIONS: ReadonlySet<Signal> = new Set([
  SCHEME.account,
  SCHEME.haste,
  SCHEME.parcel,
  SCHEME.address,
  SCHEME.refund,
  SCHEME.debt,
  SCHEME.estate,
]);
