import type { Config } from './config.ts';

/** Where `installation.key` and the private keys are: in the data directory, unless several nodes share them. */
export const keysDirectory = ({ keysDir, dataDir }: Pick<Config, 'keysDir' | 'dataDir'>): string =>
  keysDir ?? dataDir;
