import type { FindingRule } from '../finding.ts';
import { isMarkup } from './html.ts';
import { homePage, type SurfaceObservation } from './observation.ts';
import { PROBES, type ProbeId } from './probes.ts';
import { isResponse, type SiteResponse } from './visit.ts';

/** A file whose beginning has a certain form. */
const file =
  (pattern: RegExp) =>
  (response: SiteResponse): boolean =>
    response.status === 200 && pattern.test(response.body);
const plainFile =
  (pattern: RegExp) =>
  (response: SiteResponse): boolean =>
    file(pattern)(response) && !isMarkup(response);

/** Whether the first line that says anything assigns a variable. */
function isEnvironment(response: SiteResponse): boolean {
  const lines = response.body.split('\n').map((line) => line.trim());
  const first = lines.find((line) => line !== '' && !line.startsWith('#')) ?? '';
  return response.status === 200 && /^(?:export )?[A-Z][A-Z0-9_]{2,63} ?=/.test(first);
}

/** The source itself, not a page that quotes one. */
const isConfigSource = (body: string) =>
  /^\s*<\?php\b/.test(body) && /\bDB_(?:NAME|USER|PASSWORD|HOST)\b/.test(body);

/** The title that web servers write, of which the path is all: others write of indexes as well. */
const isListing = file(/<title>\s*(?:Index of|Directory listing for) \/[^<\s]*\s*<\/title>/i);

/**
 * A rule that some path shows what only the real thing shows. A site that answers the same for a path that
 * cannot exist shows nothing by it.
 */
export function exposureRule(
  rule: Omit<FindingRule<SurfaceObservation>, 'see'>,
  probes: readonly ProbeId[],
  shows: (response: SiteResponse) => boolean,
  seen: string,
): FindingRule<SurfaceObservation> {
  return {
    ...rule,
    see({ base, probes: answers, control }) {
      if (isResponse(control) && shows(control)) return undefined;
      const found = probes.filter((probe) => {
        const answer = answers[probe];
        return isResponse(answer) && shows(answer);
      });
      if (found.length === 0) return undefined;
      const places = found.map(
        (probe) => `${new URL(PROBES[probe], base)} (${(answers[probe] as SiteResponse).status})`,
      );
      return `${places.join(', ')}: ${seen}.`;
    },
  };
}

export const EXPOSURE_RULES: readonly FindingRule<SurfaceObservation>[] = [
  exposureRule(
    {
      id: 'environment_file_exposed',
      severity: 'critical',
      title: 'An environment file is publicly readable',
      recommendation:
        'Such files contain passwords and keys; consider all of them stolen. Change them, then move the file out of ' +
        'the web root and block dot files in the web server.',
    },
    ['environment_file'],
    isEnvironment,
    'variable assignments were returned',
  ),
  exposureRule(
    {
      id: 'config_backup_exposed',
      severity: 'critical',
      title: 'A copy of the configuration is publicly readable',
      recommendation:
        'It contains the database password and the keys that sign logins; consider them stolen. Change both, delete ' +
        'the copy, and keep copies outside the web root.',
    },
    ['config_bak', 'config_old', 'config_save', 'config_tilde', 'config_swap'],
    ({ status, body }) => status === 200 && (body.startsWith('b0VIM ') || isConfigSource(body)),
    'the source of a configuration was returned',
  ),
  exposureRule(
    {
      id: 'database_dump_exposed',
      severity: 'critical',
      title: 'A database dump is publicly readable',
      recommendation:
        'It contains all data of the site, including users and password hashes; consider it stolen. Delete ' +
        'it, change all passwords, and store backups outside the web server. Inform the persons affected where the law requires it.',
    },
    ['database_dump'],
    plainFile(/^-- (?:MySQL|MariaDB|PostgreSQL|phpMyAdmin)\b|^(?:CREATE TABLE|INSERT INTO) /m),
    'the start of an SQL dump was returned',
  ),
  exposureRule(
    {
      id: 'git_repository_exposed',
      severity: 'high',
      title: 'The Git repository is publicly readable',
      recommendation:
        'The entire source and its history, with every committed secret, can be downloaded from .git. ' +
        'Block /.git in the web server, deploy without it, and rotate committed secrets.',
    },
    ['git_head'],
    plainFile(/^(?:ref: refs\/\S+\s*$|(?:[0-9a-f]{40}|[0-9a-f]{64})\s*$)/),
    'a Git reference was returned',
  ),
  exposureRule(
    {
      id: 'debug_log_exposed',
      severity: 'high',
      title: 'The debug log is publicly readable',
      recommendation:
        'It contains paths, queries and possibly personal data and keys. Delete it, set WP_DEBUG_LOG to a path ' +
        'outside the web root, and turn WP_DEBUG off in production.',
    },
    ['debug_log'],
    plainFile(/^\[[0-9]{2}-[A-Z][a-z]{2}-[0-9]{4} [0-9:]{8}\b/),
    'lines of a PHP log were returned',
  ),
  exposureRule(
    {
      id: 'directory_listing',
      severity: 'medium',
      title: 'The web server lists directories',
      recommendation:
        'Visitors can find files that are not linked: backups, exports, private uploads. Apache: "Options ' +
        '-Indexes"; nginx: "autoindex off".',
    },
    ['uploads'],
    isListing,
    'an index of files was returned',
  ),
  {
    id: 'home_directory_listing',
    severity: 'medium',
    title: 'The home page is a list of files',
    recommendation:
      'There is no index page, so all files there can be found and read. Add one, and turn directory listings ' +
      'off (Apache: "Options -Indexes"; nginx: "autoindex off").',
    see(observation) {
      const home = homePage(observation);
      return home && isListing(home.answer) ? 'The home page is an index of files.' : undefined;
    },
  },
  exposureRule(
    {
      id: 'version_files',
      severity: 'info',
      title: 'Installation files disclose the software of the site',
      recommendation:
        'Scanners use them to find WordPress sites and guess their version. Delete them or block them; updates ' +
        'restore them, so a rule in the web server lasts longer.',
    },
    ['readme', 'license'],
    file(/^\s*WordPress - Web publishing|<title>WordPress[^<]{0,40}ReadMe/i),
    'a file shipped with WordPress was returned',
  ),
];
