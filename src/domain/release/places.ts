/** Where the units as they stand have the executable, which an administrator lays there, or `redoubt init --systemd` does. */
export const LOCAL_EXECUTABLE = '/usr/local/bin/redoubt';

/** Where the Debian package has it, with units that name it. */
export const PACKAGED_EXECUTABLE = '/usr/bin/redoubt';
