import { once } from 'node:events';
import { connect } from 'node:net';

/** Codes of a Unix socket that no program listens on. */
const ABANDONED = ['ECONNREFUSED', 'ENOENT'];

/** Whether a program listens on a Unix socket. One that this user may not use counts as listened on. */
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
