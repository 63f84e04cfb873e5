// All signals, one line each.

export { cloudImmunity } from './cloud-immunity.ts';
export { digitalImmunity } from './digital-immunity.ts';
export { keyHygiene } from './key-hygiene.ts';
export { pcGuard } from './pc-guard.ts';
export { saas } from './saas.ts';
export { serverGuard } from './server-guard.ts';
