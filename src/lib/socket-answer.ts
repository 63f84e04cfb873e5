import { once } from 'node:events';
import { connect } from 'node:net';

/** Error codes of a Unix socket without a listener. */
const ABANDONED = ['ECONNREFUSED', 'ENOENT'];

/** Whether a program listens on a Unix socket. Also true if this user has no access to it. */
export async function isAnsweredAt(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return !ABANDONED.includes(String((error as NodeJS.ErrnoException).code));
  } finally {
    socket.destroy();
  }
}
