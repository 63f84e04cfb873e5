import { gappedList } from '../../lib/gapped-list.ts';
import { parseEcosystem } from '../vulnerability/ecosystem.ts';
import { hasEmailAddress, hasIpv4Address } from './addresses.ts';
import { inspect } from './gate.ts';
import { hasAbsolutePath } from './paths.ts';
import { componentsPolicy } from './policies.ts';
import type { PrivacyPolicy, PrivacyViolation } from './policy.ts';
import { providerTokenRule } from './provider-tokens.ts';

/** The contract's fields of a component; its schema checks all but the name. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['ecosystem', 'name', 'name_hash', 'version', 'status']);

const NAMES: ReadonlySet<string> = new Set(['components', ...OWN_FIELDS]);

const componentPolicy: PrivacyPolicy = { ...componentsPolicy, fields: OWN_FIELDS };

/**
 * Inspects a body with components. Names and versions of components resemble much that the gate refuses (`1.2.3.4` is a
 * version, `@scope/name` a package), so they have fewer rules than other texts.
 *
 * @returns the first violation, or undefined when the body may pass
 */
export function inspectComponents(body: unknown): PrivacyViolation | undefined {
  if (!isObject(body)) return inspect(body, componentsPolicy, NAMES);
  const list = Array.isArray(body.components) ? body.components : gappedList(body.components);
  if (list === undefined) return inspect(body, componentsPolicy, NAMES);
  const violation = inspect({ ...body, components: null }, componentsPolicy, NAMES);
  if (violation !== undefined) return violation;
  for (const [at, component] of list.entries()) {
    const found = inspectComponent(component);
    if (found !== undefined) return { path: `components[${at}]${below(found.path)}`, rule: found.rule };
  }
  return undefined;
}

/** A path of the gate, below its parent's. */
function below(path: string): string {
  if (path.startsWith('<body>')) return '';
  return path.startsWith('[') ? path : `.${path}`;
}

function inspectComponent(component: unknown): PrivacyViolation | undefined {
  if (!isObject(component)) return inspect(component, componentsPolicy, NAMES);
  const { name, ecosystem } = component;
  const rule = typeof name === 'string' ? nameRule(name, ecosystem) : undefined;
  if (rule !== undefined) return { path: 'name', rule };
  const entries = Object.entries(component);
  if (entries.every(([key]) => OWN_FIELDS.has(key))) return undefined;
  // Each keeps its place, which names a violation.
  const others = entries.map(([key, value]) => [key, OWN_FIELDS.has(key) ? null : value]);
  return inspect(Object.fromEntries(others), componentPolicy, NAMES);
}

/** Of the ecosystems that are supported, only npm's scopes have a slash; others may well have more. */
const SCOPED = /^@[^/]+\/[^/]+$/;

function nameRule(name: string, ecosystem: unknown): string | undefined {
  if (hasEmailAddress(name)) return 'value.email';
  const isSupported = typeof ecosystem === 'string' && parseEcosystem(ecosystem) !== undefined;
  if (hasAbsolutePath(name) || (isSupported && name.includes('/') && !SCOPED.test(name))) return 'value.path';
  return hasIpv4Address(name) ? 'value.ipv4' : providerTokenRule(name);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
