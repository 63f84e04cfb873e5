import { readFileSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { readJwks } from '../domain/credential/jwks.ts';
import { statusAt } from '../domain/credential/status-list.ts';
import {
  type PlaceStatus,
  type Verification,
  type VerificationKey,
  type VerificationReason,
  verifyCredential,
} from '../domain/credential/verify.ts';
import {
  type StatusListRefusal,
  type VerifiedStatusList,
  verifyStatusList,
} from '../domain/credential/verify-status-list.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import { fileWords } from '../lib/file-trouble.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { moment } from '../terminal/options.ts';
import { CommandRefused, print, printJson, table, tell } from '../terminal/output.ts';

interface VerifyOptions {
  readonly jwks: string;
  readonly statusList?: string;
  readonly at?: number;
  readonly json?: true;
}

/** All input is in files: it needs neither settings, nor a database, nor a network. */
export function credentialCommand(): Command {
  const credential = new Command('credential')
    .description('verify credentials offline')
    .addHelpText('after', '\nExample:\n  redoubt credential verify shop.jwt --jwks jwks.json');
  credential
    .command('verify')
    .description('verify a credential: exit code 0 if valid, 1 if not')
    .argument('<file>', 'the credential')
    .requiredOption('--jwks <file>', 'keys of the issuer that you trust, from its /.well-known/jwks.json')
    .option('--status-list <file>', 'the status list named in the credential, to check for revocation')
    .option('--at <iso>', 'verify as of this time, ISO 8601; default: now', moment)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt credential verify shop.jwt --jwks jwks.json --status-list list.jwt',
    )
    .action(verify);
  return credential;
}

async function verify(
  path: string,
  { jwks, statusList, at = Date.now(), json }: VerifyOptions,
): Promise<void> {
  const token = textOf(path);
  const keys = keysIn(jwks);
  const listToken = statusList === undefined ? undefined : textOf(statusList);
  let list: VerifiedStatusList | undefined;
  const statusOf = async ({ uri, index }: { uri: string; index: number }): Promise<PlaceStatus> => {
    if (listToken === undefined) return undefined;
    list = await listIn(listToken, keys, { uri, now: at });
    return statusAt(list.lst, index);
  };
  const found = await verifyCredential(token, { keys, now: at, isIssuer: () => true, statusOf });
  if (json) printJson({ ...shown(found), claims: found.claims, status_list: shownList(list) });
  else if (found.type !== null) print(table(['what', 'value'], Object.entries(shown(found))));
  if (found.reason !== null) throw new CommandRefused(WORDS[found.reason]);
  if (list === undefined) tell('revocation was not checked. Name the status list with --status-list');
  else if (list.isOver)
    tell(`the status list expired at ${iso(list.expiresAt)}. Fetch a newer one to be sure`);
}

const WORDS: Readonly<Record<VerificationReason, string>> = {
  malformed: 'this is not a credential of Redoubt, or its index is not in the status list',
  unknown_issuer: 'the credential was issued by another service',
  unknown_key: 'the credential is not signed by a key in --jwks, or that key was revoked',
  bad_signature: 'the signature of the credential is invalid',
  key_revoked: 'the key that signed this credential was revoked',
  revoked: 'the credential was revoked',
  expired: 'the credential has expired',
  not_yet_valid: 'the credential is not valid yet. Check the clock of this host',
};

const LIST_WORDS: Readonly<Record<StatusListRefusal, string>> = {
  malformed: 'it is not a status list',
  unknown_key: 'it is not signed by a key in --jwks',
  bad_signature: 'its signature is invalid',
  key_revoked: 'the key that signed it was revoked',
  other_list: 'the credential names another one',
};

const shown = (found: Verification) => ({
  valid: found.valid,
  reason: found.reason,
  type: found.type,
  issuer: found.issuer,
  subject: found.subject,
  issued_at: isoOrNull(found.issuedAt),
  expires_at: isoOrNull(found.expiresAt),
});

const shownList = (list: VerifiedStatusList | undefined) =>
  list === undefined
    ? null
    : { issued_at: iso(list.issuedAt), expires_at: iso(list.expiresAt), expired: list.isOver };

async function listIn(token: string, keys: readonly VerificationKey[], asked: { uri: string; now: number }) {
  const list = await verifyStatusList(token, keys, asked);
  if ('refused' in list)
    throw new CommandRefused(`the status list cannot be used: ${LIST_WORDS[list.refused]}`);
  return list;
}

function keysIn(path: string): readonly VerificationKey[] {
  const keys = readJwks(textOf(path)) ?? [];
  if (keys.length > 0) return keys;
  throw new CommandRefused(
    `${path} has no P-256 key. Use the file that the issuer serves at /.well-known/jwks.json`,
  );
}

const FILE_BYTES_MAX = 1_024 * 1_024;

/** The path may lead to any type of file until it was checked. */
function textOf(path: string): string {
  try {
    const found = statSync(path);
    if (found.isFile() && found.size <= FILE_BYTES_MAX) return trimInvisible(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandRefused(`cannot read ${path}: ${fileWords(error as NodeJS.ErrnoException)}`);
  }
  throw new CommandRefused(`${path} is not a file of at most 1 MiB`);
}
