import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUN } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

const TOOLS = join(import.meta.dir, '../../.ci/tools');
const SPECTRAL = join(TOOLS, 'node_modules/@stoplight/spectral-cli/dist/index.js');
const SCHEMATHESIS = join(TOOLS, 'venv/bin/schemathesis');

/** Whether .ci/run has installed each of them. */
export const hasSpectral = existsSync(SPECTRAL);
export const hasSchemathesis = existsSync(SCHEMATHESIS);

interface Ended {
  readonly code: number;
  readonly output: string;
}

function run(file: string, args: readonly string[], cwd: string): Promise<Ended> {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, output })));
}

function written(document: object): { readonly folder: string; readonly path: string } {
  const folder = join(temporaryDirectory(), 'contract');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'openapi.json');
  writeFileSync(path, JSON.stringify(document));
  return { folder, path };
}

/** Lints a contract. */
export function lintContract(document: object): Promise<Ended> {
  const { folder, path } = written(document);
  const rules = ['-r', join(TOOLS, 'spectral.yaml'), '--fail-severity', 'hint', '-F', 'hint'];
  return run(BUN, [SPECTRAL, 'lint', ...rules, path], folder);
}

/**
 * Sends requests generated from a contract, valid and invalid, and checks the answers against it.
 *
 * @param options additional options of `schemathesis run`
 */
export function tryContract(
  document: object,
  {
    url,
    bearer,
    options,
  }: { readonly url: string; readonly bearer: string; readonly options: readonly string[] },
): Promise<Ended> {
  const { folder, path } = written(document);
  return run(
    SCHEMATHESIS,
    [
      ...['--config-file', join(TOOLS, 'schemathesis.toml'), 'run', path, '--url', url],
      ...[
        '--header',
        `Authorization: Bearer ${bearer}`,
        '--seed',
        '1',
        '--continue-on-failure',
        '--no-color',
      ],
      ...['--suppress-health-check', 'all', '--warnings', 'off', ...options],
    ],
    folder,
  );
}
