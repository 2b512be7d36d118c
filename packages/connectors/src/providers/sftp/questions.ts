import { ConnectorError } from '../../core/error.ts';
import { type Attrs, kindOf } from './api.ts';
import type { Commands } from './commands.ts';
import { StatusError, aborted, isBareFailure } from './errors.ts';

/** What is asked for, or undefined when it is not there. */
export async function found(asked: Promise<Attrs>): Promise<Attrs | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StatusError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

/** Why a folder could not be opened: servers answer for a file with a bare failure, or as if nothing were there. */
export async function whyNotListed(commands: Commands, path: Buffer, error: unknown): Promise<unknown> {
  if (!isBareFailure(error) && !(error instanceof StatusError && error.kind === 'notFound')) return error;
  const item = await found(commands.stat(path));
  return item && kindOf(item) === 'file' ? new ConnectorError('notAFolder', 'a file has no entries', { cause: error }) : error;
}

/** Rejects with `alreadyExists` when anything has the name; SFTP's RENAME is not sure to look by itself. */
export async function mustBeFree(commands: Commands, path: Buffer): Promise<void> {
  if (await found(commands.lstat(path))) throw new ConnectorError('alreadyExists', 'something has that name');
}

/** The promise, or `aborted` as soon as the signal fires; what was sent is then answered to nobody. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(aborted());
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
