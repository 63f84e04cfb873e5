import type { Config } from './config.ts';

/** The directory of `installation.key` and the private keys: the data directory, unless several nodes share the keys. */
export const keysDirectory = ({ keysDir, dataDir }: Pick<Config, 'keysDir' | 'dataDir'>): string =>
  keysDir ?? dataDir;
