import { API, call, type Reply } from './client.ts';
import { type RunningService, until } from './service.ts';

/** A license with control of names of this host, attested by the operator. */
export async function issueControlled(on: RunningService, ...domains: string[]) {
  const names = ['localhost', ...domains];
  const { key, license_id } = await on.issue('--plan', 'pro', ...names.flatMap((name) => ['--domain', name]));
  for (const name of names) await on.command('license', 'verify-domain', license_id, '--domain', name);
  return { key, license: license_id };
}

export const askScan = (
  on: RunningService,
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
) => call(on.url, `${API}/scans`, { key, method: 'POST', body, headers });
export const readScan = (on: RunningService, key: string, id: string, headers: Record<string, string> = {}) =>
  call(on.url, `${API}/scans/${id}`, { key, headers });
export const codeOf = ({ status, json }: Reply) => [status, json.error?.code];

/** The state of a scan after its end. */
export async function endedScan(on: RunningService, key: string, id: string) {
  let last: Reply | undefined;
  await until(async () => {
    last = await readScan(on, key, id);
    return last.json.data.finished_at !== null;
  });
  return (last as Reply).json.data;
}
