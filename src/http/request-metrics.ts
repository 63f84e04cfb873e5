/** An answered request, as far as it is counted: nothing in it comes from a caller. */
export interface AnsweredRequest {
  /** The route's pattern, or `-`. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

interface Durations {
  /** Requests by the first bound that they are not over; the last are over all. */
  readonly perBucket: number[];
  sumSeconds: number;
}

const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts answered requests and how long they took. Routes and statuses are few, so memory is bounded. */
export class RequestMetrics {
  readonly #counts = new Map<string, Map<number, number>>();
  readonly #durations = new Map<string, Durations>();

  observe({ route, status, durationMs }: AnsweredRequest): void {
    const counts = this.#counts.get(route) ?? new Map<number, number>();
    counts.set(status, (counts.get(status) ?? 0) + 1);
    this.#counts.set(route, counts);

    const durations = this.#durations.get(route) ?? {
      perBucket: Array.from({ length: BOUNDS_SECONDS.length + 1 }, () => 0),
      sumSeconds: 0,
    };
    const seconds = durationMs / 1_000;
    const bucket = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound);
    const index = bucket === -1 ? BOUNDS_SECONDS.length : bucket;
    durations.perBucket[index] = (durations.perBucket[index] ?? 0) + 1;
    durations.sumSeconds += seconds;
    this.#durations.set(route, durations);
  }

  /** In the text format of Prometheus, version 0.0.4. */
  exposition(): string {
    const counts = [...this.#counts].flatMap(([route, byStatus]) =>
      [...byStatus].map(
        ([status, count]) => `redoubt_http_requests_total{route="${route}",status="${status}"} ${count}`,
      ),
    );
    const durations = [...this.#durations].flatMap(([route, { perBucket, sumSeconds }]) => {
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
    return [
      '# HELP redoubt_http_requests_total Answered requests.',
      '# TYPE redoubt_http_requests_total counter',
      ...counts,
      '# HELP redoubt_http_request_duration_seconds Time from the first look at a request to its answer.',
      '# TYPE redoubt_http_request_duration_seconds histogram',
      ...durations,
      '',
    ].join('\n');
  }
}

/** One value that is read when it is asked for. */
export const gauge = (name: string, help: string, value: number): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;
