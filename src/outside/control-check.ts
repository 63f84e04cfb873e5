import { answersFor, type Challenge, holdsToken, judgeTexts } from '../domain/domain-control/challenge.ts';
import type { CheckMethod, ControlProblem } from '../domain/domain-control/control.ts';
import { redirectTarget, type Visit } from '../domain/surface/visit.ts';
import { SECOND_MS } from '../lib/clock.ts';
import { isResolverDead } from './site-visit/addresses.ts';
import { type Network, NO_SUCH_NAME } from './site-visit/network.ts';
import { createSiteVisitor } from './site-visit/visitor.ts';

/** A proof of control to check. */
export interface WantedProof {
  readonly domain: string;
  readonly challenge: Challenge;
  readonly method: CheckMethod;
}

/**
 * Checks the proof that a license controls a domain; never throws.
 *
 * @returns null when the proof is valid; `cut_off` when this host has no network or no resolver, which says nothing about the
 * domain
 */
export type CheckControl = (wanted: WantedProof) => Promise<ControlProblem | 'cut_off' | null>;

export interface ControlCheckOptions {
  readonly network: Network;
  /** Whether sites at private addresses may be visited. */
  readonly allowPrivate: boolean;
  /** Whether untrusted certificates, and certificates for another name, are accepted. */
  readonly allowUntrusted: boolean;
  /** Version of this service, for the User-Agent. */
  readonly version: string;
  readonly now: () => number;
}

const TOTAL_MS_MAX = 15 * SECOND_MS;
const REQUEST_MS_MAX = 8 * SECOND_MS;
const FILE_BYTES_MAX = 4 * 1024;

export function createControlCheck(options: ControlCheckOptions): CheckControl {
  const { network, allowPrivate, allowUntrusted, version, now } = options;

  const checkFile = async ({ domain, challenge }: WantedProof) => {
    const visitor = createSiteVisitor({
      network,
      allowPrivate,
      userAgent: `Redoubt/${version} (domain check requested by the site's owner)`,
      mayVisit: (host) => answersFor(domain, host),
      totalMsMax: TOTAL_MS_MAX,
      requestMsMax: REQUEST_MS_MAX,
    });
    const visits = await visitor.follow(new URL(challenge.httpUrl), FILE_BYTES_MAX + 1);
    const problem = judgeFile(visits, challenge.token, allowUntrusted);
    return problem === 'unreachable' && (await visitor.isCutOff()) ? 'cut_off' : problem;
  };

  const checkRecord = async ({ challenge: { dnsName, token } }: WantedProof) => {
    try {
      return judgeTexts(await network.texts(dnsName), token, now());
    } catch (error) {
      if (NO_SUCH_NAME.includes((error as NodeJS.ErrnoException).code ?? '')) return 'not_found';
      return (await isResolverDead(network.lookup)) ? 'cut_off' : 'dns_failed';
    }
  };

  return (wanted) => (wanted.method === 'http' ? checkFile(wanted) : checkRecord(wanted));
}

/**
 * Judges only the final answer, and only if it is complete and every hop used HTTPS with a valid certificate: otherwise an
 * attacker who can modify traffic could pass without controlling the site.
 */
function judgeFile(visits: readonly Visit[], token: string, allowUntrusted: boolean): ControlProblem | null {
  const last = visits.at(-1);
  if (last === undefined || visits.some(({ url }) => url.protocol !== 'https:')) return 'redirected';
  const { answer } = last;
  if (typeof answer === 'string' || !(allowUntrusted || visits.every(isTrusted))) return 'unreachable';
  if (redirectTarget(last) !== undefined) return 'redirected';
  if (answer.status !== 200) return 'not_found';
  return answer.isWhole && Buffer.byteLength(answer.body) <= FILE_BYTES_MAX && holdsToken(answer.body, token)
    ? null
    : 'wrong_token';
}

const isTrusted = ({ tls }: Visit): boolean => tls?.matchesHost === true && tls.chainProblem === null;
