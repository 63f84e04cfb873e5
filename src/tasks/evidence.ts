import type { KeyObject } from 'node:crypto';
import { checkpointText, parseCheckpoint } from '../domain/evidence/checkpoint.ts';
import { logOrigin } from '../domain/evidence/origin.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { type After, type Clock, MINUTE_MS, SECOND_MS, utcDayNumber } from '../lib/clock.ts';
import { Fault, faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { noteSigner, openNote, signNote } from '../lib/signed-note.ts';
import { TurnsByKey } from '../lib/turns.ts';
import { storeUnavailable, type Writer } from '../storage/engine/writer.ts';
import type { EvidenceCheckpoint, EvidenceLog, EvidenceReads } from '../storage/evidence/evidence.ts';
import type { EvidenceHeads, LogHead } from '../storage/evidence/evidence-heads.ts';

/** The last signed state of a log. */
export interface SignedLog {
  readonly log: EvidenceLog;
  /** The number of signed entries. */
  readonly size: number;
  readonly rootHash: Uint8Array;
  /** The signed checkpoint (c2sp.org/tlog-checkpoint). */
  readonly note: string;
  readonly vkey: string;
}

/** Signs checkpoints of evidence logs. */
export interface EvidenceDesk {
  /**
   * The signed state of a license's log. Signs it again if it has grown and the last signature is older than a minute. Adds an
   * entry first if there is none from the current UTC day.
   */
  signed(licenseId: number): Promise<SignedLog | Refusal>;
  /**
   * A signed state that includes an entry.
   *
   * @returns undefined if the log has no entry at this position
   */
  covering(licenseId: number, position: number): Promise<SignedLog | Refusal | undefined>;
  /** Compares each log with its signed checkpoints. A log that an older backup has reset ends, and a new one begins. */
  compare(): Promise<void>;
}

export interface EvidenceDeskParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Pick<Log, 'warn'>;
  readonly privateKey: KeyObject;
  readonly heads: EvidenceHeads;
  readonly reads: EvidenceReads;
  readonly writer: Pick<Writer, 'write'>;
  /** Whether no other process signs with this key. */
  readonly isAlone: boolean;
  /** Reads the current setting. */
  readonly baseUrl: () => string | undefined;
}

const SIGN_EVERY_MS = MINUTE_MS;
/** Shorter interval for proofs of newer entries. */
const SIGN_FOR_PROOF_EVERY_MS = SECOND_MS;

function signedAs({ note, size, vkey }: EvidenceCheckpoint, log: EvidenceLog): SignedLog {
  const rootHash = parseCheckpoint(note.slice(0, note.indexOf('\n\n') + 1))?.rootHash;
  if (rootHash === undefined)
    throw new Fault(`a checkpoint of the log ${log.id} is damaged. Restore the database`);
  return { log, size, rootHash, note, vkey };
}

/**
 * The last signed state of a log, without signing it again; the only state available of a log that has ended.
 *
 * @returns undefined if the log was never signed
 */
export async function keptCheckpoint(
  reads: Pick<EvidenceReads, 'newestCheckpoint'>,
  log: EvidenceLog,
): Promise<SignedLog | undefined> {
  const newest = await reads.newestCheckpoint(log.id);
  return newest && signedAs(newest, log);
}

/** The public key in a verifier key, without the name of the log. */
const keyIn = (vkey: string): string => vkey.split('+').slice(2).join('+');

/** Signs states of logs. Never signs a state that contradicts an earlier signature. */
export function createEvidenceDesk(parts: EvidenceDeskParts): EvidenceDesk {
  const { clock, after, log: warnings, privateKey, heads, reads, writer, isAlone, baseUrl } = parts;
  const turns = new TurnsByKey<number>();
  const pause = (ms: number) => new Promise<void>((resolve) => after(ms, resolve));
  const signerOf = (log: EvidenceLog) => noteSigner(log.origin ?? logOrigin(log, baseUrl()), privateKey);

  const matches = async (log: EvidenceLog, head: LogHead): Promise<boolean> =>
    head.size <= log.size && (await reads.rootOf(log.id, head.size)).toString('base64url') === head.root;

  /** Records a checkpoint that another node has signed, if it matches the log. */
  const recordFromOtherNode = async (log: EvidenceLog, { note, size }: EvidenceCheckpoint): Promise<void> => {
    const opened = openNote(Buffer.from(note), signerOf(log).verifier);
    const signed = 'text' in opened ? parseCheckpoint(opened.text) : undefined;
    if (signed?.size !== size) return;
    const head = { ...log, size, root: Buffer.from(signed.rootHash).toString('base64url') };
    if (await matches(log, head)) await heads.note(head);
  };

  /** Whether a log matches its signed checkpoints. Without a record of the last one, this cannot be known. */
  const matchesCheckpoints = async (log: EvidenceLog): Promise<boolean> => {
    const newest = await reads.newestCheckpoint(log.id);
    if (!isAlone && newest && newest.size > (heads.of(log)?.size ?? 0))
      await recordFromOtherNode(log, newest);
    const head = heads.of(log);
    const isNoted = (newest?.size ?? 0) <= (head?.size ?? 0);
    const isLast = heads.ofName(log.publicId).every(({ number }) => number <= log.number);
    return isNoted && isLast && (head === undefined || (await matches(log, head)));
  };

  /** @returns whether the log had to end */
  const endIfLost = async (log: EvidenceLog): Promise<boolean | Refusal> => {
    if (await matchesCheckpoints(log)) return false;
    heads.refresh();
    if (await matchesCheckpoints(log)) return false;
    const signed = heads.ofName(log.publicId);
    const { number, size } = log;
    const root_hash = (await reads.rootOf(log.id, size)).toString('base64url');
    const refusal = await writer.write('replaceEvidenceLog', {
      logId: log.id,
      number: Math.max(number, ...signed.map((head) => head.number)) + 1,
      signed: signed.map((head) => ({ number: head.number, size: head.size, root_hash: head.root })),
      kept: { number, size, root_hash },
      now: clock.now(),
    });
    if (isRefusal(refusal)) return refusal;
    warnings.warn(
      'an evidence log does not match its signed checkpoints, for example after an older backup was restored or without signing/evidence.head; a new log begins',
      { license: licenseName(log.licenseId), log: `${log.publicId}/${number}` },
    );
    return true;
  };

  const current = async (licenseId: number): Promise<EvidenceLog> => {
    const log = await reads.current(licenseId);
    if (log === undefined) throw new Fault('an evidence log could not be started');
    return log;
  };

  const sign = async (log: EvidenceLog): Promise<SignedLog | Refusal> => {
    const signer = signerOf(log);
    const { name: origin } = signer.verifier;
    const rootHash = await reads.rootOf(log.id, log.size);
    const note = signNote(checkpointText({ origin, size: log.size, rootHash }), signer);
    try {
      await heads.note({ ...log, root: rootHash.toString('base64url') });
    } catch (error) {
      warnings.warn('a checkpoint could not be recorded and was not signed', { fault: faultOf(error) });
      return storeUnavailable();
    }
    const checkpoint = { size: log.size, signedAt: clock.now(), note, vkey: signer.verifier.vkey };
    const refusal = await writer.write('keepCheckpoint', { logId: log.id, origin, ...checkpoint });
    return isRefusal(refusal) ? refusal : signedAs(checkpoint, log);
  };

  /** Signs a log unless its newest checkpoint satisfies `isEnough`. First replaces a log that does not match its checkpoints. */
  const signUnless = async (
    licenseId: number,
    isEnough: (newest: EvidenceCheckpoint, log: EvidenceLog) => boolean,
  ): Promise<SignedLog | Refusal> => {
    let log = await current(licenseId);
    const ended = await endIfLost(log);
    if (isRefusal(ended)) return ended;
    if (ended) log = await current(licenseId);
    const newest = await reads.newestCheckpoint(log.id);
    const { vkey } = signerOf(log).verifier;
    if (newest?.vkey === vkey && isEnough(newest, log)) return signedAs(newest, log);
    const lastKey = await reads.lastKey(licenseId);
    if (lastKey !== undefined && keyIn(lastKey) !== keyIn(vkey)) {
      const refusal = await writer.write('keepLogKey', { licenseId, vkey, now: clock.now() });
      if (isRefusal(refusal)) return refusal;
      log = await current(licenseId);
    }
    const waitMs = newest === undefined ? 0 : newest.signedAt + SIGN_FOR_PROOF_EVERY_MS - clock.now();
    if (waitMs > 0 && waitMs <= SIGN_FOR_PROOF_EVERY_MS) await pause(waitMs);
    return sign(log);
  };

  /** @param at time of a signature; one in the future counts as old */
  const isRecent = (at: number): boolean => at <= clock.now() && clock.now() - at < SIGN_EVERY_MS;

  return {
    signed: (licenseId) =>
      turns.take(licenseId, async () => {
        const log = await reads.current(licenseId);
        if (log === undefined || utcDayNumber(log.lastAt) < utcDayNumber(clock.now())) {
          const refusal = await writer.write('keepDay', { licenseId, now: clock.now() });
          if (isRefusal(refusal) && log === undefined) return refusal;
        }
        return signUnless(
          licenseId,
          ({ size, signedAt }, { size: now }) => size === now || isRecent(signedAt),
        );
      }),

    covering: (licenseId, position) =>
      turns.take(licenseId, async () => {
        const log = await reads.current(licenseId);
        if (log === undefined || position >= log.size) return undefined;
        return signUnless(licenseId, ({ size }) => position < size);
      }),

    async compare() {
      const noted = await Promise.all(heads.all().map(({ publicId }) => reads.byPublicId(publicId)));
      const logs = [...(await reads.signedLogs()), ...noted.filter((log) => log !== undefined)];
      for (const log of new Map(logs.map((each) => [each.id, each])).values()) {
        try {
          if (isRefusal(await endIfLost(log))) return;
        } catch (error) {
          // The other logs are compared even if this one must be restored.
          const license = licenseName(log.licenseId);
          warnings.warn('the evidence of a license is damaged', { license, fault: faultOf(error) });
        }
      }
    },
  };
}
