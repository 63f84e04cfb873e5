import { describeContract } from '../../src/server/describe-contract.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { adminContract } from '../support/admin.ts';

/** A text of an OpenAPI document, with its place. */
interface ContractText {
  readonly place: string;
  readonly name: string;
  readonly text: string;
}

const EXAMPLES: ReadonlySet<string> = new Set(['example', 'examples']);
const WORDED: ReadonlySet<string> = new Set(['summary', 'description']);

function textsIn(node: unknown, place: string): ContractText[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    if (typeof value === 'string') return WORDED.has(name) ? [{ place, name, text: value }] : [];
    return EXAMPLES.has(name) ? [] : textsIn(value, `${place}/${name}`);
  });
}

/** The texts of both OpenAPI documents. */
export const CONTRACT_TEXTS: readonly ContractText[] = [
  ...textsIn(await describeContract(loadConfig({})), 'public'),
  ...textsIn(adminContract, 'admin'),
];
