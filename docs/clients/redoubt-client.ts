import { hash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const DEFAULTS = {
  cache_seconds: 21_600, // how long a valid verdict is reused
  invalid_seconds: 300, // the same for an invalid one
  grace_days: 7, // how long the last valid verdict applies while the service does not answer
  feed_seconds: 300, // how long the feed is reused
  retry_seconds: 60, // pause after a failure, doubled each time up to an hour
  timeout_seconds: 5,
  queue_max: 400, // queued events; beyond that, the oldest are dropped
};
const HOUR = 3_600;
const DAY = 86_400;
const REQUESTS_MAX = 10;
const ANSWER_BYTES_MAX = 16_777_216;
/** So many of the largest events fit into the 256 KiB of a request. */
const BATCH_MAX = 40;
/** They fail again until the configuration changes. */
const LASTING: readonly number[] = [400, 401, 403, 404, 413];

export type Options = typeof DEFAULTS;

/** When the service last answered, in seconds since the Unix epoch (0: never), and why the last try failed. */
interface Asked {
  readonly checked_at: number;
  readonly error: string | null;
}

export interface Verdict extends Asked {
  readonly valid: boolean;
  readonly plan: string;
  readonly modules_allowed: readonly string[];
  readonly reason?: 'suspended';
  readonly status?: string;
  readonly trial_ends_at?: string | null;
}

type FeedEntry = Readonly<Record<'fingerprint' | 'attack_type' | 'severity', string>>;

export interface Feed extends Asked {
  readonly status?: 'ENABLED' | 'DISABLED';
  readonly epoch?: number;
  readonly entries: readonly FeedEntry[];
}

export interface SiteEvent {
  readonly type: string;
  readonly severity?: 'info' | 'low' | 'medium' | 'high' | 'critical';
  readonly message?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly event_id?: string;
  readonly occurred_at?: string;
}

type Stats = Readonly<Record<string, string | number | boolean>>;

export interface Sent {
  readonly sent: number;
  readonly queued: number;
  /** Events lost in total: dropped from a full queue, or refused by the service. */
  readonly dropped: number;
  /** Seconds until the next heartbeat is due. */
  readonly next_in: number;
  readonly error: string | null;
}

export interface Component {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
  readonly status?: 'active' | 'inactive';
}

export interface Told extends Asked {
  /** Whether the service has this list. */
  readonly told: boolean;
}

export interface Vulnerabilities extends Asked {
  /** The 50 most urgent, most urgent first. */
  readonly findings: readonly Finding[];
  /** Number of components that are `vulnerable`, `no_known`, `unknown_version`, `no_data` or `unsupported`. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly overdue?: number;
  readonly mirror_state?: 'current' | 'stale';
}

/** A vulnerability in a component; the contract has more fields. */
export interface Finding {
  readonly vulnerability_id: string;
  readonly name: string;
  readonly version: string;
  readonly fixed_versions: readonly string[];
  readonly risk: Readonly<Record<string, unknown>> & {
    readonly score: number;
    readonly recommendation: string;
  };
  readonly due_at: string | null;
  readonly overdue: boolean;
  /** Set if the supplier calls the component not affected: there is nothing to do. */
  readonly not_affected: { readonly justification: string | null; readonly impact: string } | null;
}

const STATE = {
  kept: {} as Readonly<Record<string, unknown>>,
  at: 0,
  etag: '"none"',
  retry_at: 0,
  failures: 0,
  error: null as string | null,
  next_at: 0,
  events_at: 0,
  batch: BATCH_MAX,
  queue: [] as readonly SiteEvent[],
  dropped: 0,
  site: '',
  told: '',
  told_at: 0,
  found_in: '',
};
type State = Readonly<typeof STATE>;
type Name = 'license' | 'feed' | 'telemetry' | 'site';

interface Body {
  readonly valid?: boolean;
  readonly data?: Readonly<Record<string, unknown>> & {
    readonly next_heartbeat_seconds?: number;
    readonly sites?: readonly { readonly id: string; readonly url: string }[];
    readonly next_cursor?: string | null;
  };
  readonly error?: string | { readonly code?: string };
}

interface Answer {
  /** Zero for none. */
  readonly status: number;
  readonly json: Body;
  readonly error: string;
  readonly etag: string;
  /** Seconds; zero if the answer has none. */
  readonly retryAfter: number;
}

/** What to store of an answer, or null for a failure. */
type Keep = (answer: Answer, state: State) => Partial<State> | null;

const now = () => Math.floor(Date.now() / 1000);

/** Whether a moment is in the future. More than a day ahead means that the clock was set back. */
const isAhead = (at: number) => at > now() && at <= now() + DAY;

/**
 * A client of Redoubt for Node.js 22.18 or later, Bun and Deno, without dependencies. It never throws or logs. See
 * docs/clients.md. Give each process its own directory.
 */
export class RedoubtClient {
  readonly #url: string;
  readonly #key: string;
  readonly #domain: string;
  readonly #files: string;
  readonly #options: Options;

  /** Stores its state in `directory`, which must be outside the web root. */
  constructor(url: string, key: string, domain: string, directory: string, options: Partial<Options> = {}) {
    this.#url = `${url.replace(/\/+$/, '')}/api/v1`;
    // A pasted key may contain spaces.
    this.#key = key.replace(/[^\x21-\x7e]/g, '');
    this.#domain = domain;
    this.#options = { ...DEFAULTS, ...options };
    const name = hash('sha256', `${this.#url} ${this.#key} ${domain}`).slice(0, 16);
    this.#files = `${directory}/redoubt-${name}-`;
    attempt(() => mkdirSync(directory, { recursive: true, mode: 0o700 }));
  }

  /** What the license allows. `ask` = false sends no request: use it while a visitor waits. */
  async verify(ask = true): Promise<Verdict> {
    let state = this.#read('license');
    const fresh = this.#options[state.kept.valid ? 'cache_seconds' : 'invalid_seconds'];
    if (ask && Math.abs(now() - state.at) >= fresh) {
      // A refusal also has `valid: false`, but is not a verdict.
      const keep: Keep = ({ status, json }) =>
        status === 200 && json.valid !== undefined ? { kept: { ...json }, at: now() } : null;
      state = await this.#ask('license', '/license/verify', keep, { domain: this.#domain });
    }
    const patience = Math.max(fresh, this.#options.grace_days * DAY);
    const kept = Math.abs(now() - state.at) < patience ? state.kept : {};
    const nothing = { valid: false, plan: 'free', modules_allowed: [] };
    return { ...nothing, ...kept, checked_at: state.at, error: state.error };
  }

  /** The threat feed, renewed when it is old. If that fails, the last one. */
  async feed(): Promise<Feed> {
    let state = this.#read('feed');
    if (Math.abs(now() - state.at) >= this.#options.feed_seconds) {
      state = await this.#ask('feed', '/threat-feed', ({ status, json: { data }, etag }) => {
        if (status === 304) return { at: now() };
        return data === undefined ? null : { kept: data, etag, at: now() };
      });
    }
    return { entries: [], ...state.kept, checked_at: state.at, error: state.error };
  }

  /** Queues an event for the next heartbeat. */
  record(event: SiteEvent): void {
    const message = (event.message ?? '').slice(0, 1_000);
    const complete = whole({
      event_id: randomUUID(),
      occurred_at: new Date().toISOString(),
      ...event,
      message,
    });
    this.#change('telemetry', ({ queue, dropped }) => {
      const kept = [...queue, complete].slice(-this.#options.queue_max);
      return { queue: kept, dropped: dropped + queue.length + 1 - kept.length };
    });
  }

  /** Call it every minute. It sends queued events when a heartbeat is due, or at once with `atOnce`. */
  async heartbeat(version: string, stats: Stats = {}, atOnce = false): Promise<Sent> {
    const body = { site_url: this.#domain, license_key: this.#key, plugin_version: version, stats };
    let state = this.#read('telemetry');
    let sent = 0;
    let goesOn = atOnce || !isAhead(state.next_at);
    for (let request = 0; goesOn && request < REQUESTS_MAX; request++) {
      const isCapped = isAhead(state.events_at);
      const events = isCapped ? [] : state.queue.slice(0, state.batch);
      const suspect = isCapped || state.batch > 0 ? [] : state.queue.slice(0, 1);
      const keep: Keep = (answer, state) => settle(answer, state, events, suspect);
      const asked = await this.#ask('telemetry', '/telemetry', keep, { ...body, events });
      if (asked.status === 200) sent += events.length;
      goesOn = asked.error === null && (asked.status !== 200 || (!isCapped && asked.queue.length > 0));
      state = asked;
    }
    const { queue, dropped, next_at, error } = state;
    return { sent, queued: queue.length, dropped, next_in: Math.max(0, next_at - now()), error };
  }

  /**
   * Sends the components of the site when they change, and once a day. Only hashes of names leave the site.
   */
  async components(components: readonly Component[]): Promise<Told> {
    const told = components.map(hashed);
    const digest = hash('sha256', JSON.stringify(told));
    let state = this.#read('site');
    if (state.told !== digest || Math.abs(now() - state.told_at) >= DAY) {
      const keep: Keep = ({ status }) => (status === 200 ? { told: digest, told_at: now() } : null);
      state = await this.#askOfSite('/components', keep, { components: told });
    }
    return { told: state.told === digest, checked_at: state.told_at, error: state.error };
  }

  /** Vulnerable components. Asks once an hour, and after each new list. */
  async vulnerabilities(): Promise<Vulnerabilities> {
    let state = this.#read('site');
    if (state.found_in !== state.told || Math.abs(now() - state.at) >= HOUR) {
      state = await this.#askOfSite('/vulnerabilities', ({ json: { data } }, { told }) =>
        data?.findings === undefined ? null : { kept: data, at: now(), found_in: told },
      );
    }
    return { findings: [], ...state.kept, checked_at: state.at, error: state.error };
  }

  /** Asks about the site by its id, which GET /sites shows after the first heartbeat. */
  async #askOfSite(path: string, keep: Keep, body?: object): Promise<State> {
    let state = this.#read('site');
    const retryAt = now() + this.#options.retry_seconds;
    const missing = { site: '', told: '', error: 'SITE_NOT_FOUND', retry_at: retryAt };
    let query: string | undefined = '?limit=200';
    for (let request = 0; state.site === '' && query && request < REQUESTS_MAX; request++) {
      const page: string = `/sites${query}`;
      query = undefined;
      state = await this.#ask('site', page, ({ json: { data } }) => {
        if (data?.sites === undefined) return null;
        const own = data.sites.find(({ url }) => hostOf(url) === hostOf(this.#domain));
        if (own !== undefined) return { site: own.id };
        if (data.next_cursor) query = `?limit=200&cursor=${data.next_cursor}`;
        return query === undefined ? missing : {};
      });
    }
    if (state.site === '') return state;
    const found: Keep = (answer, state) =>
      answer.error === 'SITE_NOT_FOUND' ? missing : keep(answer, state);
    return this.#ask('site', `/sites/${state.site}${path}`, found, body);
  }

  /** Asks, unless it is too early after a failure. */
  async #ask(name: Name, path: string, keep: Keep, body?: object): Promise<State & { status: number }> {
    const before = this.#read(name);
    if (isAhead(before.retry_at)) return { ...before, status: 0 };
    const answer = await this.#send(path, before.etag, body);
    const { status, error, retryAfter } = answer;
    const state = this.#change(name, (state) => {
      const kept = keep(answer, state);
      if (kept !== null) return { failures: 0, retry_at: 0, error: null, ...kept };
      const doubled = this.#options.retry_seconds * 2 ** Math.min(state.failures, 10);
      const longest = LASTING.includes(status) ? HOUR : Math.min(HOUR, doubled);
      const pause = retryAfter || Math.ceil(longest * (0.5 + Math.random() / 2));
      return { failures: state.failures + 1, retry_at: now() + pause, error };
    });
    return { ...state, status };
  }

  async #send(path: string, etag: string, body?: object): Promise<Answer> {
    const authorization = `Bearer ${this.#key}`;
    const headers = { authorization, 'content-type': 'application/json', 'if-none-match': etag };
    try {
      const signal = AbortSignal.timeout(this.#options.timeout_seconds * 1_000);
      const what = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(this.#url + path, { ...what, headers, signal, redirect: 'manual' });
      const { status } = response;
      const text = await textOf(response);
      const json: Body = attempt(() => JSON.parse(text)) ?? {};
      const code = typeof json.error === 'object' ? json.error.code : json.error;
      const seconds = /^\d{1,9}$/.exec(response.headers.get('retry-after') ?? '')?.[0];
      return {
        status,
        json,
        error: /^[A-Z_]{1,64}$/.exec(code ?? '')?.[0] ?? `HTTP_${status}`,
        etag: response.headers.get('etag') ?? STATE.etag,
        retryAfter: Math.min(Number(seconds ?? 0), DAY),
      };
    } catch {
      return { status: 0, json: {}, error: 'UNREACHABLE', etag: STATE.etag, retryAfter: 0 };
    }
  }

  /** Changes a state. Readers see the old state or the new one. */
  #change(name: Name, change: (state: State) => Partial<State>): State {
    const before = this.#read(name);
    const state = { ...before, ...change(before) };
    const file = `${this.#files}${name}.json`;
    const temporary = `${file}.${randomUUID()}`;
    const isWritten = attempt(() => {
      writeFileSync(temporary, JSON.stringify(state), { flag: 'wx', mode: 0o600 });
      renameSync(temporary, file);
      return true;
    });
    if (!isWritten) attempt(() => rmSync(temporary, { force: true }));
    return state;
  }

  #read(name: Name): State {
    const text = () => readFileSync(`${this.#files}${name}.json`, 'utf8');
    return { ...STATE, ...attempt(() => JSON.parse(text())) };
  }
}

/** Halves refused batches until one event is left, which is dropped if the heartbeat is accepted without it. */
function settle(answer: Answer, state: State, events: readonly SiteEvent[], suspect: readonly SiteEvent[]) {
  const { status, json, error, retryAfter } = answer;
  const half = Math.floor(events.length / 2);
  if (events.length > 0 && (status === 400 || status === 413)) return { batch: half };
  if (events.length > 0 && error === 'DAILY_CAP_EXCEEDED') return { events_at: now() + retryAfter };
  const seconds = json.data?.next_heartbeat_seconds;
  if (seconds === undefined) return null;
  const gone = new Set([...events, ...suspect].map(({ event_id }) => event_id));
  return {
    next_at: now() + seconds,
    queue: state.queue.filter(({ event_id }) => !gone.has(event_id)),
    batch: Math.min(BATCH_MAX, Math.max(1, 2 * state.batch)),
    dropped: state.dropped + suspect.length,
  };
}

const hostOf = (site: string): string => {
  const host = attempt(() => new URL(/^[a-z]+:\/\//i.test(site) ? site : `http://${site}`).hostname);
  return (host ?? '').replace(/^www\./, '');
};

/** Replaces what the service refuses in texts: NUL and half surrogate pairs. */
const whole = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_, each) =>
      typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '\ufffd') : each,
    ),
  );

/** A component with the hash of its name. WordPress names a plugin by its file, but the folder counts. */
function hashed({ ecosystem, name, version, status }: Component) {
  const lower = name.toLowerCase();
  const names: Readonly<Record<string, string | undefined>> = {
    'wordpress-plugin': lower.replace(/\/.*/s, '').replace(/\.php$/, ''),
    pypi: lower.replace(/[-_.]+/g, '-'),
  };
  const text = `redoubt-component-v1\n${ecosystem}\n${names[ecosystem] ?? lower}`;
  return {
    ecosystem,
    name_hash: hash('sha256', text, 'base64url'),
    version: version.replace(/[^0-9A-Za-z.+:~!_-]+/g, '-').slice(0, 64) || 'unknown',
    status,
  };
}

/** Reads a body up to a limit. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('The answer is too long.');
    text += decoder.decode(part, { stream: true });
  }
  return text;
}

/** Returns undefined if it throws. */
function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
