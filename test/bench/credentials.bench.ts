/**
 * The cost of credentials: `bun test/bench/credentials.bench.ts`. 2,000 licenses get one each over HTTP, 32
 * at a time, then each verifies its own; next to them, in interleaved rounds, the same without storage
 * (claims and signature), and bare signatures of the same claims by the library alone. Each with the
 * runtime's compiler and without it, as under the unit.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { type CredentialStatement, credentialClaims } from '../../src/domain/credential/claims.ts';
import { signCredential, signingKeyOf } from '../../src/domain/credential/signing.ts';
import { generateLicenseKey, hashLicenseKey } from '../../src/domain/license/license-key.ts';
import { API } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';
import { rows } from '../support/store.ts';

const [LICENSES, AT_A_TIME, ROUNDS] = [2_000, 32, 5];
const IN_ROUND = LICENSES / ROUNDS;
const USE_JIT = process.argv[2];

const STATEMENT: CredentialStatement = {
  publicId: randomUUID(),
  issuer: 'https://redoubt.example',
  issuedAt: 0,
  expiresAt: 0,
  listId: 1,
  listIndex: 1,
  subject: {
    type: 'license',
    licenseIdHash: 'x'.repeat(43),
    plan: 'pro',
    status: 'active',
    sitesAllowed: 25,
  },
};

/** Licenses that are not issued one by one. */
function addLicenses(service: RunningService): string[] {
  const keys = Array.from({ length: LICENSES }, () => generateLicenseKey('live'));
  rows(
    service,
    `insert into licenses (key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      select value, '', '', 'paid', 'live', 'pro', '[]', '[]', '[]', 0 from json_each(?)`,
    JSON.stringify(keys.map(hashLicenseKey)),
  );
  return keys;
}

/** @returns the number completed in a second */
async function perSecond<Value>(values: readonly Value[], act: (value: Value) => Promise<void>) {
  const began = performance.now();
  const waiting = values.values();
  const work = async () => {
    for (const value of waiting) await act(value);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return values.length / ((performance.now() - began) / 1_000);
}

async function post(service: RunningService, path: string, key: string, body: object) {
  const headers = { authorization: `Bearer ${key}` };
  const reply = await fetch(service.url + API + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
  return (await reply.json()) as { data: { credential: string; valid: boolean } };
}

const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0);

async function measure(useJit: string): Promise<void> {
  const service = await start('binary', {
    SERVICE_BASE_URL: 'https://redoubt.example',
    SERVICE_RATE_IP_PER_MINUTE: '1000000000',
    BUN_JSC_useJIT: useJit,
  });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = signingKeyOf(privateKey);
  if (signingKey === undefined) throw new Error('this key signs no credentials');
  const keys = addLicenses(service);
  const speeds = {
    issued: [] as number[],
    verified: [] as number[],
    made: [] as number[],
    bare: [] as number[],
  };
  for (let round = 0; round < ROUNDS; round++) {
    const issued: { key: string; credential: string }[] = [];
    const asking = keys.slice(round * IN_ROUND, (round + 1) * IN_ROUND);
    speeds.issued.push(
      await perSecond(asking, async (key) => {
        const { data } = await post(service, '/credentials', key, { type: 'license' });
        issued.push({ key, credential: data.credential });
      }),
    );
    speeds.verified.push(
      await perSecond(issued, async ({ key, credential }) => {
        const { data } = await post(service, '/credentials/verify', key, { credential });
        if (!data.valid) throw new Error('a credential does not hold');
      }),
    );
    speeds.made.push(
      await perSecond(issued, async (_) => {
        await signCredential(credentialClaims(STATEMENT), signingKey);
      }),
    );
    const claims = issued.map(({ credential }) =>
      JSON.parse(Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString()),
    );
    speeds.bare.push(
      await perSecond(claims, async (each) => {
        await new SignJWT(each).setProtectedHeader({ alg: 'ES256', typ: 'vc+jwt' }).sign(privateKey);
      }),
    );
  }
  console.table({
    compiler: useJit === '1' ? 'yes' : 'no',
    'issued over HTTP/s': median(speeds.issued),
    'verified over HTTP/s': median(speeds.verified),
    'made/s': median(speeds.made),
    'bare signatures/s': median(speeds.bare),
  });
  await service.end();
}

// The runtime uses the value of the variable at its start.
if (USE_JIT !== undefined) await measure(USE_JIT);
else
  for (const useJit of ['1', '0'])
    Bun.spawnSync([process.execPath, import.meta.path, useJit], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, BUN_JSC_useJIT: useJit },
    });
