import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asDiskFull, isSystemError } from '#/failure.ts';
import { recordIn } from '#/json.ts';
import { writePrivately } from '#/settings.ts';

/** A copied file: its local state, and its size at the destination afterwards. */
export interface Copied {
  readonly size: number;
  /** Epoch milliseconds. */
  readonly modified: number;
  /** SHA-256 of the content, if it was computed. */
  readonly hash?: string;
}

/** Destination of a job. */
export interface Destination {
  readonly destinationPath: string;
  readonly linkUri: string;
}

type Line = { readonly to: Destination } | ({ readonly path: string } & Copied) | { readonly path: string; readonly gone: true };

export interface Journal {
  /** The chosen folder; undefined before the choice. */
  destination(): Destination | undefined;
  /** Stores the chosen folder; forgets files that were copied to another one. */
  choose(destination: Destination): Promise<void>;
  readonly copied: ReadonlyMap<string, Copied>;
  /** Records a copied file; it survives a kill right afterwards. */
  note(path: string, copied: Copied): Promise<void>;
  forget(path: string): Promise<void>;
  /** Compacts the journal and closes it. */
  close(): Promise<void>;
}

/** Opens the journal of a job: a file of JSON lines, one appended per copied file. With `keeps` false the file is not changed. */
export async function openJournal(file: string, { keeps = true } = {}): Promise<Journal> {
  const copied = new Map<string, Copied>();
  let destination: Destination | undefined;
  // A promise, so that concurrent writers share one handle.
  let appending: Promise<FileHandle> | undefined;

  const take = (line: Line): void => {
    if ('to' in line) {
      destination = line.to;
      copied.clear();
    } else if ('gone' in line) copied.delete(line.path);
    else copied.set(line.path, { size: line.size, modified: line.modified, ...(line.hash !== undefined && { hash: line.hash }) });
  };
  const before = await textOf(file);
  /** Ends a line that a killed run left incomplete, so that the next one is separate. */
  let lead = before === '' || before.endsWith('\n') ? '' : '\n';
  for (const text of before.split('\n')) {
    const line = parse(text);
    if (line) take(line);
  }

  async function write(line: Line): Promise<void> {
    take(line);
    if (!keeps) return;
    appending ??= open(file, 'a', 0o600);
    const text = `${lead}${JSON.stringify(line)}\n`;
    lead = '';
    try {
      await (await appending).appendFile(text);
    } catch (error) {
      // A part of the line may have been written.
      lead = '\n';
      throw asDiskFull(error, file);
    }
  }
  async function rewrite(): Promise<void> {
    if (!keeps) return;
    await (await appending)?.close();
    appending = undefined;
    const lines: Line[] = [...(destination ? [{ to: destination }] : []), ...[...copied].map(([path, one]) => ({ path, ...one }))];
    await writePrivately(dirname(file), file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    lead = '';
  }

  return {
    destination: () => destination,
    async choose(to) {
      if (destination?.linkUri === to.linkUri && destination.destinationPath === to.destinationPath) return;
      take({ to });
      await rewrite();
    },
    copied,
    note: (path, one) => write({ path, ...one }),
    forget: (path) => write({ path, gone: true }),
    close: rewrite,
  };
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return '';
    throw error;
  }
}

/** Parses a line; undefined for an incomplete last line and for anything invalid. */
function parse(text: string): Line | undefined {
  const value = recordIn(text);
  if (!value) return undefined;
  if ('to' in value) return isDestination(value.to) ? { to: value.to } : undefined;
  if (!('path' in value) || typeof value.path !== 'string') return undefined;
  const { path } = value;
  if ('gone' in value) return { path, gone: true };
  if (!('size' in value) || typeof value.size !== 'number' || !('modified' in value) || typeof value.modified !== 'number')
    return undefined;
  const hash = 'hash' in value && typeof value.hash === 'string' ? { hash: value.hash } : {};
  return { path, size: value.size, modified: value.modified, ...hash };
}

const isDestination = (value: unknown): value is Destination =>
  typeof value === 'object' &&
  value !== null &&
  'destinationPath' in value &&
  typeof value.destinationPath === 'string' &&
  'linkUri' in value &&
  typeof value.linkUri === 'string';
