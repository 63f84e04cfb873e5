/** The executable's path in the unmodified units, where an administrator or `redoubt init --systemd` installs it. */
export const LOCAL_EXECUTABLE = '/usr/local/bin/redoubt';

/** Its path in the Debian package, whose units name it. */
export const PACKAGED_EXECUTABLE = '/usr/bin/redoubt';
