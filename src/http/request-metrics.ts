import { PLANS, type Plan } from '../domain/license/catalog.ts';
import { outcomeOf, reasonOf, VERIFICATIONS, type Verification } from '../domain/license/verification.ts';
import { type SignInAttempt, SignInCounts } from './sign-in-counts.ts';

/** The counted properties of an answered request. None of them comes from the caller. */
export interface AnsweredRequest {
  /** The route's pattern, or `-`. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** license/verify only. */
  readonly verification?: Verification | undefined;
  readonly signIn?: SignInAttempt | undefined;
}

const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface RouteCounts {
  readonly byStatus: Map<number, number>;
  /** Requests by the smallest bound that is at least their duration; the last entry counts those over all bounds. */
  readonly perBucket: number[];
  sumSeconds: number;
}

/** Counts answered requests, durations, license checks and sign-ins. Memory is bounded: routes and statuses are few. */
export class RequestMetrics {
  readonly #routes = new Map<string, RouteCounts>();
  readonly #verifications = new Map<Verification, number>();
  readonly #signIns = new SignInCounts();

  observe({ route, status, durationMs, verification, signIn }: AnsweredRequest): void {
    if (signIn) this.#signIns.count(signIn);
    if (verification) this.#verifications.set(verification, (this.#verifications.get(verification) ?? 0) + 1);
    let counts = this.#routes.get(route);
    if (counts === undefined) {
      const perBucket = Array.from({ length: BOUNDS_SECONDS.length + 1 }, () => 0);
      counts = { byStatus: new Map(), perBucket, sumSeconds: 0 };
      this.#routes.set(route, counts);
    }
    const seconds = durationMs / 1_000;
    let bucket = 0;
    while (seconds > (BOUNDS_SECONDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    counts.perBucket[bucket] = (counts.perBucket[bucket] ?? 0) + 1;
    counts.sumSeconds += seconds;
  }

  /** Results of license/verify since the start. */
  get verifications(): ReadonlyMap<Verification, number> {
    return this.#verifications;
  }

  /** The counts in the text format of Prometheus, version 0.0.4. */
  exposition(): string {
    const counts = [...this.#routes].flatMap(([route, { byStatus }]) =>
      [...byStatus].map(
        ([status, count]) => `redoubt_http_requests_total{route="${route}",status="${status}"} ${count}`,
      ),
    );
    const durations = [...this.#routes].flatMap(([route, { perBucket, sumSeconds }]) => {
      const name = 'redoubt_http_request_duration_seconds';
      let total = 0;
      const buckets = perBucket.map((count, index) => {
        total += count;
        return `${name}_bucket{route="${route}",le="${BOUNDS_SECONDS[index] ?? '+Inf'}"} ${total}`;
      });
      return [
        ...buckets,
        `${name}_sum{route="${route}"} ${sumSeconds}`,
        `${name}_count{route="${route}"} ${total}`,
      ];
    });
    const verifications = VERIFICATIONS.map((each) => {
      const labels = `{outcome="${outcomeOf(each)}",reason="${reasonOf(each) ?? ''}"}`;
      return `redoubt_license_verify_outcomes_total${labels} ${this.#verifications.get(each) ?? 0}`;
    });
    return [
      '# HELP redoubt_http_requests_total Answered requests.',
      '# TYPE redoubt_http_requests_total counter',
      ...counts,
      '# HELP redoubt_http_request_duration_seconds Time from receiving a request to its response.',
      '# TYPE redoubt_http_request_duration_seconds histogram',
      ...durations,
      '# HELP redoubt_license_verify_outcomes_total Results of license checks, by reason.',
      '# TYPE redoubt_license_verify_outcomes_total counter',
      ...verifications,
      ...this.#signIns.exposition(),
      '',
    ].join('\n');
  }
}

const single = (type: 'gauge' | 'counter') => (name: string, help: string, value: number) =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`;

/** A single gauge in the text format of Prometheus. */
export const gauge = single('gauge');
/** A single counter. */
export const counter = single('counter');

/**
 * A gauge with one value per label.
 *
 * @param values by label; labels must need no escaping
 */
export const gaugeBy = (
  label: string,
  name: string,
  help: string,
  values: Iterable<readonly [string, number | string]>,
): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...Array.from(values, ([labelled, value]) => `${name}{${label}="${labelled}"} ${value}`),
    '',
  ].join('\n');

/** A gauge with one value per plan; null = no limit. */
export const gaugeByPlan = (name: string, help: string, limitOf: (plan: Plan) => number | null): string =>
  gaugeBy(
    'plan',
    name,
    help,
    PLANS.map((plan) => [plan, limitOf(plan) ?? '+Inf'] as const),
  );
