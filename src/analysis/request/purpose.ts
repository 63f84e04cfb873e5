import { registrableHost } from '../address.ts';
import type { Field } from './field-list.ts';
import { isBody, nameOf, WRITING, wordsOf } from './writing.ts';

/** The purpose of a request, which affects the meaning of its fields. */
export interface Purpose {
  /** An editor saves a WordPress page, with the session's token. */
  readonly isEditing: boolean;
  /** Settings, themes or page builders are saved, also in other systems. */
  readonly isManaging: boolean;
  /** Code is sent together with its language. */
  readonly isListing: boolean;
  /** A program forwards logs, traces or errors. */
  readonly isShipping: boolean;
  /** A log event, with time and severity. */
  readonly isLogging: boolean;
  /** A code host reports a push, a pull request or a build. */
  readonly isNotice: boolean;
  /** Containers or builds are described, with their commands. */
  readonly isOrchestrating: boolean;
  /** A query API. */
  readonly isQuerying: boolean;
  /** Settings are saved. */
  readonly isSettings: boolean;
  /** A document with a schedule. */
  readonly isScheduling: boolean;
  /** A monitoring check is configured. */
  readonly isMonitoring: boolean;
  /** A rule with a pattern and an action. */
  readonly isMatching: boolean;
  /** A rule with an action. */
  readonly isActing: boolean;
  /** The body contains sentences, perhaps with a title. */
  readonly hasWriting: boolean;
  /** A request to a language model. */
  readonly isPrompting: boolean;
  /** Security software reports an attack. */
  readonly isReporting: boolean;
  /** The body has several named fields. */
  readonly isStructured: boolean;
  /** Questions with answers, or flash cards. */
  readonly isTeaching: boolean;
  /** A password is changed. */
  readonly isChangingSecret: boolean;
  /** Page loads or actions of visitors are measured. */
  readonly isMeasuring: boolean;
  /** Registrable domain of the requested host; empty if there is no Host header. */
  readonly ownDomain: string;
  /** Services to connect to, by name. */
  readonly services: ReadonlySet<string>;
}

const EDITING =
  /^(?:POST|PUT|PATCH) \S{0,300}\/(?:wp-admin\/(?:post|customize|widgets)\.php|wp-json\/wp\/v2\/(?:posts|pages|blocks|templates|template-parts|widgets|navigation)\b)/;
const MANAGING =
  /^(?:POST|PUT|PATCH) \S{0,300}\/(?:wp-admin\/(?:options|nav-menus|edit-tags|site-editor)\.php|wp-json\/wp\/v2\/(?:settings|global-styles|media|categories|tags)\b)|^(?:POST|PUT|PATCH) (?:\/[\w.-]{1,60}){0,3}\/(?:admin|administrator|backend|cms|dashboard|manage|typo3|umbraco)\//;
const BUILDER =
  /^POST \S{0,300}\/wp-admin\/admin-ajax\.php[\s\S]*(?:[?&\n]action=|"action"\r?\n\r?\n)(?:elementor_ajax|et_fb_ajax_save|customize_save|fl_builder\w{0,30}|vc_save\w{0,20}|update-widget|brizy\w{0,30}|bricks_\w{1,30}|save-widget|inline-save|loco_json)\b/;
const TOKEN = /^x-wp-nonce:|(?:^|&)(?:_wp)?nonce=/im;
const ANY_TOKEN =
  /^x-requested-with: xmlhttprequest\r?$|^x-(?:wp-nonce|csrf-token|xsrf-token|[\w-]{1,20}-access-token):|^authorization: bearer |(?:^|[?&"])(?:\w{0,30}nonce|security|_?csrf\w{0,20}|_?token|authenticity_token|form_(?:key|token)|__requestverificationtoken)["=]|(?:^|&)[0-9a-f]{32}=1(?:&|$)/im;
const LANGUAGE =
  /^(?:javascript|js|babel|flow|mysql|mariadb|postgres\w{0,5}|sqlite|tsql|bigquery|php\d?|c\+\+|swift|scala|r|dart|elixir|haskell|toml|nginx|dockerfile|makefile|pytb|diff|typescript|ts|jsx|tsx|python3?|py|html?|xml|css|scss|sql|bash|sh|shell|powershell|ruby|go|java|kotlin|json|ya?ml|c|cpp|csharp|rust|perl|lua|markdown|md|text|plain|plaintext)$/i;
const SOURCE_FILE = /^[\w./-]{1,200}\.(?:sh|py|rb|go|rs|java|js|ts|css|html|sql|md|txt|ya?ml|json|toml)$/;
const SHIPPING =
  /^(?:POST|PUT) (?:\/[\w-]{1,60}){0,3}\/(?:loki\/api\/v1\/push|_bulk|api\/v2\/spans|services\/collector(?:\/\w{1,20})?|v1\/(?:logs|traces|input)|api\/v2\/(?:logs|rum)|api\/\d{1,12}\/(?:envelope|store))\/?[?\s]/;
/** Reports that browsers send automatically (Reporting API, CSP). */
const REPORTING = /^content-type: application\/(?:reports\+json|csp-report)/im;
const MEASURING =
  /^(?:GET|POST|HEAD) \S{0,200}\/(?:collect|beacon|pixel|track(?:ing|er)?|telemetry|rum|analytics|stats?|events?|metrics?|ping|log|logging|matomo|piwik|hit|impression|gtm|g)(?:\.(?:gif|php|png|js))?\/?[?\s/]/;
const HOST = /^host:[ \t]{0,5}([\w.-]{1,255})/im;
const HEAD_CHARS = 4_000;
const NOTICE = /^x-(?:github|gitlab|gitea|gogs|forgejo)-event:|^x-event-key: (?:repo|pullrequest|issue):/im;
const CONTAINERS =
  /^(?:POST|PUT|PATCH) (?:\/v\d\.\d{1,3})?\/(?:containers\/(?:create|[\w.-]{1,80}\/exec)|(?:job\/[\w%.-]{1,100}\/){1,4}configSubmit|apis?\/\S{0,300}(?:\/namespaces\/|\/ci\/lint))/;
/** A container image with its tag. */
const IMAGE = /^[\w.-]{1,60}(?:\/[\w.-]{1,60}){0,4}:[\w.-]{1,60}$/;
const QUERYING =
  /^(?:GET|POST) (?:\/[\w.-]{1,60}){0,8}\/(?:_sql|sql|query|queries|dataset|explore|sqllab|bigquery|query_range|execute(?:Queries|Query)|search\/jobs)\/?[?\s]/;

const SETTINGS =
  /^(?:POST|PUT|PATCH) \S{0,300}\/(?:settings?|config(?:uration)?s?|preferences|options|sites|vhosts?|domains|backups?)(?:\/[\w.-]{1,60}){0,2}\/?[?\s]/;
/** A schedule in crontab(5) notation. */
const TIMES = /^(?:[\d*][\d*/,-]{0,20}[\s+]+){4}[\d*A-Za-z][\w*/,-]{0,20}$/;

const TIME = /^[\d*][\d*/,%a-f-]{0,20}$/i;
const MONITORING =
  /^(?:POST|PUT|PATCH) \S{0,200}\/(?:monitor\w{0,8}|checks?|health-?checks?|uptime|probes?)\b/i;
const MATCHES = /^(?:matches|match|regexp?|rx|contains|matches_?regex|equals|not_contains)$/i;
const ACTION = /^(?:block|deny|drop|allow|log|challenge|reject|ban|monitor|js_challenge|managed_challenge)$/i;
/** Pages where code is submitted, formatted or tested. */
const SUBMITTING =
  /^(?:POST|PUT|PATCH) \S{0,200}\/(?:lessons?|exercises?|assignments?|homework|kata|challenges?|playground|judge|submissions?|snippets?|gists?|notebooks?|code-?reviews?|lint|format\w{0,5}|beautify|minify|transpile)\b/i;
const PROMPTING =
  /^POST \S{0,200}\/(?:chat|ai|llm|completions?|embeddings|prompts?|generate|responses|v1\/messages)\b/i;
const REPORTING_PATH =
  /^(?:POST|PUT) \S{0,200}\/(?:abuse|x-?arf|signals|sightings|blocked|alerts?|incidents?|honeypots?|scans?|vuln\w{0,12}|findings|waf|ids|siem|threats?|detections?|misp|indicators)\b/i;
/** Fields of an attack report. */
const REPORT_FIELDS =
  /^(?:ip|src|src_?ip|client_?ip|remote_?addr|rule|rule_?id|cve|signature|categories|fingerprint|payload|attribute|info|snippet|first_?seen|source_?ip|attacker|scenario|events_?count|sid|classtype|report_?class|report_?type|severity|confidence|verdict|full_?log)$/;
const TARGET_CHARS = 300;
/** Pages where questions are written or answered. */
const TEACHING =
  /^(?:POST|PUT|PATCH) \S{0,200}\/(?:quiz\w{0,6}|exams?|trivia|flash-?cards?|crosswords?|puzzles?|tests?\/\d+|courses?|academy)\b/i;
const SENTENCE_WORDS_MIN = 6;
const STRUCTURE_MIN = 3;

const has = (fields: readonly Field[], wanted: RegExp, pattern: RegExp): boolean =>
  fields.some(({ name, value }) => wanted.test(name ?? '') && pattern.test(value));
/** Counts distinct field names that match, including those of values that are not texts. */
const count = (fields: readonly Field[], wanted: RegExp): number =>
  new Set(
    fields
      .map(({ kind, name, value }) => (kind === 'name' ? value : (name ?? '')).toLowerCase())
      .filter((name) => wanted.test(name)),
  ).size;
const isDocument = (fields: readonly Field[]): boolean => fields.some(({ kind }) => kind === 'document');

/** Determines the purpose; `content` is the whole request. */
export const purposeOf = (content: string, fields: readonly Field[]): Purpose => ({
  isEditing: EDITING.test(content) && TOKEN.test(content),
  isManaging: (MANAGING.test(content) || BUILDER.test(content)) && ANY_TOKEN.test(content),
  isListing:
    SUBMITTING.test(content) ||
    fields.some(
      ({ kind, name, value }) =>
        kind === 'body' &&
        ((name === 'type' && /^code(?:_?block)?$/i.test(value)) ||
          (/^(?:lang|language|syntax|mode|highlight|snippet_type|parser|dialect)$/i.test(name ?? '') &&
            LANGUAGE.test(value)) ||
          (/^(?:file_?(?:name|path)|path)$/i.test(name ?? '') && SOURCE_FILE.test(value))),
    ),
  isShipping: (SHIPPING.test(content) || REPORTING.test(content)) && isDocument(fields),
  isLogging:
    isDocument(fields) &&
    (has(fields, /^level$/i, /^(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)$/i) ||
      (fields.some(({ name }) => /^(?:@?timestamp|datetime|ts|_?time)$/i.test(name ?? '')) &&
        fields.some(({ name }) => /^(?:level|log_?level|severity|logger|log\.level)$/i.test(name ?? '')))),
  isNotice: NOTICE.test(content),
  isMeasuring: MEASURING.test(content),
  ownDomain: registrableHost(HOST.exec(content.slice(0, HEAD_CHARS))?.[1]?.toLowerCase() ?? ''),
  isOrchestrating:
    CONTAINERS.test(content) ||
    (fields.some(({ name }) => name === 'apiVersion') && fields.some(({ name }) => name === 'kind')) ||
    (has(fields, /^image$/i, IMAGE) &&
      fields.some(({ name }) => /^(?:script|commands?|steps)$/i.test(name ?? ''))),
  isQuerying: QUERYING.test(content),
  isSettings: SETTINGS.test(content),
  isScheduling:
    has(fields, /^(?:schedule|cron\w{0,20})$/i, TIMES) ||
    (has(fields, /^minutes?$/i, TIME) && has(fields, /^hours?$/i, TIME)),
  isMonitoring:
    MONITORING.test(content) && count(fields, /^(?:check_?)?(?:interval|frequency|period|every)$/) > 0,
  isMatching:
    has(fields, /^(?:op(?:erator)?|match_?type|comparison)$/i, MATCHES) && has(fields, /^action$/i, ACTION),
  isActing: has(fields, /^action$/i, ACTION),
  isPrompting:
    PROMPTING.test(content) &&
    (count(fields, /^(?:model|temperature|max_(?:completion_)?tokens|top_p)$/) > 0 ||
      count(fields, /^(?:role|messages)$/) === 2),
  isReporting: REPORTING_PATH.test(content) && count(fields, REPORT_FIELDS) >= 2,
  hasWriting: fields.some(
    (field) =>
      isBody(field) &&
      WRITING.test(nameOf(field)) &&
      wordsOf(field.value.replaceAll('+', ' ')) >= SENTENCE_WORDS_MIN,
  ),
  isTeaching:
    TEACHING.test(content) ||
    (has(fields, /^(?:question|stem|prompt|q)$/i, /\s/) &&
      count(fields, /^(?:choices|options|answers|distractors|correct)$/) > 0),
  isStructured:
    isDocument(fields) ||
    count(
      fields.filter(({ kind }) => kind === 'body'),
      /./,
    ) >= STRUCTURE_MIN,
  isChangingSecret: /^(?:POST|PUT|PATCH) \S{0,200}(?:passw|pwd|kennwort|contrase|mot-de-passe)/i.test(
    content,
  ),
  services: new Set([
    ...fields
      .filter(({ name }) => /^(?:type|kind|driver|adapter|engine|provider|protocol)$/i.test(name ?? ''))
      .map(({ value }) => value.toLowerCase()),
    ...(/(?<=\/)(?:ldap|smtp|imap|redis|mysql|amqp|mongodb|sftp)(?=[/?\s])/.exec(
      content.slice(0, TARGET_CHARS),
    ) ?? []),
  ]),
});
