import { ConnectorError } from '../../../core/error.ts';
import { type Attrs, kindOf } from '../api.ts';
import { StatusError, aborted, isBareFailure } from '../errors.ts';
import type { Commands } from './commands.ts';

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

/** With less than this the writes under way, of which the server says only that they failed, did not fit. */
const tooLittle = 4 * 1024 * 1024;

/** Why a file could not be stored in that folder: servers say of a full disk only that it did not work. */
export async function whyNotStored(commands: Commands, folder: Buffer, error: unknown): Promise<unknown> {
  if (!isBareFailure(error) || !commands.freeSpace) return error;
  try {
    return (await commands.freeSpace(folder)) < tooLittle ? new ConnectorError('full', 'the disk is full', { cause: error }) : error;
  } catch (unknown) {
    if (unknown instanceof ConnectorError) return error;
    throw unknown;
  }
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
