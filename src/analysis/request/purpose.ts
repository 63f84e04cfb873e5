import type { Field } from './field-list.ts';

/** What a request as a whole says of its fields. */
export interface Purpose {
  /** An editor saves a page of WordPress, with the token that its session was given. */
  readonly isEditing: boolean;
  /** The same of settings, themes and page builders, and of other systems. */
  readonly isManaging: boolean;
  /** Code is sent with the name of its language. */
  readonly isListing: boolean;
  /** A program hands on lines of logs, traces or errors. */
  readonly isShipping: boolean;
  /** A document says when and how badly something happened. */
  readonly isLogging: boolean;
  /** A code host tells what was pushed, asked or built. */
  readonly isNotice: boolean;
  /** Containers or builds are described, with the commands that they run. */
  readonly isOrchestrating: boolean;
  /** An interface that takes statements of a query language. */
  readonly isQuerying: boolean;
  /** Settings are saved. */
  readonly isSettings: boolean;
  /** A document says at what times something is to be run. */
  readonly isScheduling: boolean;
}

const EDITING =
  /^(?:POST|PUT|PATCH) \S{0,300}\/(?:wp-admin\/(?:post|customize|widgets)\.php|wp-json\/wp\/v2\/(?:posts|pages|blocks|templates|template-parts|widgets|navigation)\b)/;
const MANAGING =
  /^(?:POST|PUT|PATCH) \S{0,300}\/(?:wp-admin\/(?:options|nav-menus|edit-tags|site-editor)\.php|wp-json\/wp\/v2\/(?:settings|global-styles|media|categories|tags)\b)|^(?:POST|PUT|PATCH) (?:\/[\w.-]{1,60}){0,3}\/(?:admin|administrator|backend|cms|dashboard|manage|typo3|umbraco)\//;
const BUILDER =
  /^POST \S{0,300}\/wp-admin\/admin-ajax\.php[\s\S]*(?:[?&\n]action=|"action"\r?\n\r?\n)(?:elementor_ajax|et_fb_ajax_save|customize_save|fl_builder\w{0,30}|vc_save\w{0,20}|brizy\w{0,30}|bricks_\w{1,30}|save-widget|inline-save|loco_json)\b/;
const TOKEN = /^x-wp-nonce:|(?:^|&)(?:_wp)?nonce=/im;
const ANY_TOKEN =
  /^x-(?:wp-nonce|csrf-token|xsrf-token|[\w-]{1,20}-access-token):|^authorization: bearer |(?:^|[?&"])(?:\w{0,30}nonce|security|_?csrf\w{0,20}|_?token|authenticity_token|form_(?:key|token)|__requestverificationtoken)["=]/im;
const LANGUAGE =
  /^(?:javascript|js|typescript|ts|jsx|tsx|python3?|py|html?|xml|css|scss|sql|bash|sh|shell|powershell|ruby|go|java|kotlin|json|ya?ml|c|cpp|csharp|rust|perl|lua|markdown|md|text|plain|plaintext)$/i;
const SOURCE_FILE = /^[\w./-]{1,200}\.(?:sh|py|rb|go|rs|java|js|ts|css|html|sql|md|txt|ya?ml|json|toml)$/;
const SHIPPING =
  /^(?:POST|PUT) (?:\/[\w-]{1,60}){0,3}\/(?:loki\/api\/v1\/push|_bulk|services\/collector(?:\/\w{1,20})?|v1\/(?:logs|traces|input)|api\/v2\/(?:logs|rum)|api\/\d{1,12}\/(?:envelope|store))\/?[?\s]/;
const NOTICE = /^x-(?:github|gitlab|gitea|gogs|forgejo)-event:|^x-event-key: (?:repo|pullrequest|issue):/im;
const CONTAINERS =
  /^(?:POST|PUT|PATCH) (?:\/v\d\.\d{1,3})?\/(?:containers\/(?:create|[\w.-]{1,80}\/exec)|(?:job\/[\w%.-]{1,100}\/){1,4}configSubmit|apis?\/\S{0,300}(?:\/namespaces\/|\/ci\/lint))/;
const QUERYING =
  /^(?:GET|POST) (?:\/[\w.-]{1,60}){0,8}\/(?:_sql|sql|query|query_range|execute(?:Queries|Query)|search\/jobs)\/?[?\s]/;

const SETTINGS =
  /^(?:POST|PUT|PATCH) \S{0,300}\/(?:settings?|config(?:uration)?s?|preferences|options|sites|vhosts?|domains|backups?)(?:\/[\w.-]{1,60}){0,2}\/?[?\s]/;
/** When something is to be run, as crontab(5) has it. */
const TIMES = /^(?:[\d*][\d*/,-]{0,20}[\s+]+){4}[\d*A-Za-z][\w*/,-]{0,20}$/;

const isDocument = (fields: readonly Field[]): boolean => fields.some(({ kind }) => kind === 'document');

/** What a request is for; `content` is all of it, `fields` its values. */
export const purposeOf = (content: string, fields: readonly Field[]): Purpose => ({
  isEditing: EDITING.test(content) && TOKEN.test(content),
  isManaging: (MANAGING.test(content) || BUILDER.test(content)) && ANY_TOKEN.test(content),
  isListing: fields.some(
    ({ kind, name, value }) =>
      kind === 'body' &&
      ((name === 'type' && /^code(?:_?block)?$/i.test(value)) ||
        (/^(?:lang|language|syntax|mode|highlight|snippet_type)$/i.test(name ?? '') &&
          LANGUAGE.test(value)) ||
        (/^file_?(?:name|path)$/i.test(name ?? '') && SOURCE_FILE.test(value))),
  ),
  isShipping: SHIPPING.test(content) && isDocument(fields),
  isLogging:
    isDocument(fields) &&
    fields.some(({ name }) => /^(?:@?timestamp|datetime|ts|_?time)$/i.test(name ?? '')) &&
    fields.some(({ name }) => /^(?:level|log_?level|severity|logger|log\.level)$/i.test(name ?? '')),
  isNotice: NOTICE.test(content),
  isOrchestrating:
    CONTAINERS.test(content) ||
    (fields.some(({ name }) => name === 'apiVersion') && fields.some(({ name }) => name === 'kind')),
  isQuerying: QUERYING.test(content),
  isSettings: SETTINGS.test(content),
  isScheduling: fields.some(
    ({ name, value }) => /^(?:schedule|cron\w{0,20})$/i.test(name ?? '') && TIMES.test(value),
  ),
});
