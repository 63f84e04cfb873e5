// Every signal: one line for each.

export { cloudImmunity } from './cloud-immunity.ts';
export { digitalImmunity } from './digital-immunity.ts';
export { keyHygiene } from './key-hygiene.ts';
export { pcGuard } from './pc-guard.ts';
export { saas } from './saas.ts';
export { serverGuard } from './server-guard.ts';
