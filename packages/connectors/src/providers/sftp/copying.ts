import type { Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { kindOf } from './api.ts';
import { aborted } from './errors.ts';
import type { Commands } from './session/commands.ts';
import { store } from './upload.ts';

/** Bytes per request: small enough that a server which processes requests in order soon serves others, and is never silent for long. */
const block = 16 * 1024 * 1024;

/**
 * Copies a file on the server, with its time and permissions. Rejects with `unsupported` for a folder, and where the server cannot copy.
 */
export async function copyFile(source: Buffer, storing: Omit<Parameters<typeof store>[0], 'fill' | 'mode'>): Promise<Entry> {
  const { commands, ask } = storing;
  const { copyBytes } = commands;
  if (kindOf(await commands.stat(source)) === 'folder') throw new ConnectorError('unsupported', 'the server copies single files only');
  if (!copyBytes) throw new ConnectorError('unsupported', 'the server cannot copy files');
  const handle = await commands.openRead(source);
  try {
    const { size, mode, modified } = await commands.fstat(handle);
    if (size === undefined) throw new ConnectorError('unsupported', 'the server does not report the size of the file');
    const fill = (to: Buffer) => copied({ ...commands, copyBytes }, { from: handle, to, size, signal: ask.signal });
    return await store({
      ...storing,
      ask: { ...ask, ...(modified !== undefined && { modified }) },
      ...(mode !== undefined && { mode }),
      fill,
    });
  } finally {
    await Promise.allSettled([commands.close(handle)]);
  }
}

interface Range {
  readonly from: Buffer;
  readonly to: Buffer;
  readonly size: number;
  readonly signal: AbortSignal;
}

async function copied({ copyBytes }: Required<Pick<Commands, 'copyBytes'>>, { from, to, size, signal }: Range): Promise<number> {
  for (let start = 0; start < size; start += block) {
    if (signal.aborted) throw aborted();
    await copyBytes(from, to, { start, end: Math.min(size, start + block) });
  }
  return size;
}
