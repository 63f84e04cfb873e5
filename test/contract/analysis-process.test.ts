import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { API, call } from '../support/client.ts';
import { CROWDED, crowd } from '../support/crowd.ts';
import { binary, type RunningService, SEAM_TARGETS, start, until } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const BODY = { input_type: 'code', content: "<?php eval($_POST['x']);" };

const ask = ({ url }: RunningService, key: string) => call(url, `${API}/brain/analyze`, { key, body: BODY });
const keyFrom = async (service: RunningService) => (await service.issue('--plan', 'pro')).key;

/** The child processes of another process. */
const childrenOf = (pid: number | undefined): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
const analysisOf = ({ process: { pid } }: RunningService): number => {
  const [child, ...others] = childrenOf(pid);
  expect(others).toEqual([]);
  return child as number;
};
const hasEnded = (pid: number) =>
  !existsSync(`/proc/${pid}`) || /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

describe.each([...SEAM_TARGETS])('the analysis process of %s', (target) => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    // Its own process: it and its analysis process are killed.
    service = await start(target);
    key = await keyFrom(service);
  });
  afterAll(() => service.end());

  test('is started by the first content', async () => {
    const before = childrenOf(service.process.pid);
    expect((await ask(service, key)).json.data.verdict).toBe('malicious');
    expect([before, childrenOf(service.process.pid).length]).toEqual([[], 1]);
  });

  test('has neither settings nor files of the service, and is killed first when memory runs out', () => {
    const pid = analysisOf(service);
    const folder = `/proc/${pid}`;
    const settingsOf = (pid: number | undefined) =>
      readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .filter((each) => each.startsWith('SERVICE_'));
    expect(settingsOf(service.process.pid).length).toBeGreaterThan(1);
    expect(settingsOf(pid)).toEqual([]);
    const files = readdirSync(join(folder, 'fd')).flatMap((name) => {
      try {
        return [readlinkSync(join(folder, 'fd', name))];
      } catch {
        // It is closed by now.
        return [];
      }
    });
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((path) => path.startsWith(service.env.SERVICE_DATA_DIR as string))).toEqual([]);
    expect(readFileSync(join(folder, 'oom_score_adj'), 'utf8').trim()).toBe('1000');
  });

  test('may die: the service continues, logs that in one line, and starts another', async () => {
    const first = analysisOf(service);
    process.kill(first, 'SIGKILL');
    await until(() => service.log().includes('the analysis process died'));
    expect((await call(service.url, `${API}/me`, { key })).status).toBe(200);
    expect((await ask(service, key)).json.data.verdict).toBe('malicious');
    expect(analysisOf(service)).not.toBe(first);
    expect(service.log().match(/"level":"error".*/g)).toEqual([
      '"level":"error","message":"the analysis failed","fault":"the analysis process died"}',
    ]);
  });

  test('that dies during a content answers it with 500, counts nothing, and handles the next', async () => {
    const own = await start(target, CROWDED);
    const { key, license_id } = await own.issue('--plan', 'pro');
    const body = { input_type: 'code', content: "'".repeat(48 * 1024) };
    const counts = "select sum(given) as given from verdict_counts where category = '' and license_id = ?";
    await ask(own, key);
    const counted = () => rows(own, counts, Number(license_id.replace('lic_', '')))[0]?.given;
    const before = counted();
    const reply = call(own.url, `${API}/brain/analyze`, { key, body });
    // It is working as soon as it uses processor time.
    const ticks = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[13]);
    const pid = analysisOf(own);
    const atRest = ticks(pid);
    await until(() => ticks(pid) > atRest + 2);
    process.kill(pid, 'SIGKILL');
    const { status, json, headers } = await reply;
    expect([status, json.error.code, headers.has('x-request-id')]).toEqual([500, 'INTERNAL', true]);
    expect(counted()).toBe(before);
    expect((await ask(own, key)).status).toBe(200);
    await own.end();
  });

  test('survives the signal that a service manager sends to all, until waiting contents are answered', async () => {
    const own = await start(target, CROWDED);
    const key = await keyFrom(own);
    await ask(own, key);
    const pid = analysisOf(own);
    const { all, answered } = await crowd(own, key);
    process.kill(pid, 'SIGTERM');
    expect(await own.end()).toBe(0);
    await all;
    expect(answered().length).toBeGreaterThan(0);
    const troubles = own
      .log()
      .split('\n')
      .filter((line) => /"level":"(?:warn|error)"/.test(line));
    // A database that takes more than 50 ms, on a busy host, is unrelated to the analysis.
    expect(troubles.filter((line) => !line.includes('limits are counted per node'))).toEqual([]);
    await until(() => hasEnded(pid));
  });

  test('ends with a service that is killed', async () => {
    const own = await start(target);
    await ask(own, await keyFrom(own));
    const pid = analysisOf(own);
    await own.end('SIGKILL');
    await until(() => hasEnded(pid));
  });
});

test('a deleted executable continues to analyse, with its own code', async () => {
  const executable = join(temporaryDirectory(), 'redoubt');
  copyFileSync(await binary(), executable);
  const service = await start('binary', {}, { executable });
  const key = await keyFrom(service);
  rmSync(executable);
  expect((await ask(service, key)).json.data.verdict).toBe('malicious');
  await service.end();
});
