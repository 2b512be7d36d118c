import { ConnectorError } from '../../../core/error.ts';
import { type Attrs, kindOf } from '../api.ts';
import { StatusError, aborted, isBareFailure } from '../errors.ts';
import type { Commands } from './commands.ts';

/** Resolves with the attributes, or undefined when the item does not exist. */
export async function found(asked: Promise<Attrs>): Promise<Attrs | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StatusError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

/** Returns why a folder could not be opened: for a file, servers answer with a bare failure or "no such file". */
export async function whyNotListed(commands: Commands, path: Buffer, error: unknown): Promise<unknown> {
  if (!isBareFailure(error) && !(error instanceof StatusError && error.kind === 'notFound')) return error;
  const item = await found(commands.stat(path));
  return item && kindOf(item) === 'file' ? new ConnectorError('notAFolder', 'a file has no entries', { cause: error }) : error;
}

/** With less free space than this, concurrent writes that failed without a reason did not fit. */
const tooLittle = 4 * 1024 * 1024;

/** Returns why a file could not be stored in that folder: servers report a full disk as a bare failure. */
export async function whyNotStored(commands: Commands, folder: Buffer, error: unknown): Promise<unknown> {
  if (!isBareFailure(error) || !commands.freeSpace) return error;
  try {
    return (await commands.freeSpace(folder)) < tooLittle ? new ConnectorError('full', 'the disk is full', { cause: error }) : error;
  } catch (unknown) {
    if (unknown instanceof ConnectorError) return error;
    throw unknown;
  }
}

/** Rejects with `alreadyExists` when the name is taken; not every server's RENAME checks this. */
export async function mustBeFree(commands: Commands, path: Buffer): Promise<void> {
  if (await found(commands.lstat(path))) throw new ConnectorError('alreadyExists', 'something has that name');
}

/** Resolves with the promise, or rejects with `aborted` as soon as the signal fires; a later response is ignored. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(aborted());
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
