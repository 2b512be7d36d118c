import type { Body } from '@sheaf/connectors';
import { type ArchiveDirectory, type InputOf, type archiveDirectory, appError } from '@sheaf/contract';
import type { OpenFile } from '#/files/bodies/files.ts';
import { NotAZipError, type Read, type ZipDirectory, readZipDirectory } from './zip-directory.ts';

interface Deps {
  readonly openFile: (userId: string, linkUri: string) => Promise<OpenFile>;
}

/** Reads directories of archives without downloading these. */
export const createArchives = ({ openFile }: Deps) => ({
  /** The content of a zip archive: its directory, read by ranges. Rejects with NOT_AN_ARCHIVE. */
  async archive(userId: string, { linkUri }: InputOf<typeof archiveDirectory>, signal: AbortSignal): Promise<ArchiveDirectory> {
    return directoryOf(await openFile(userId, linkUri), signal);
  },
});

/** The directory of an open zip archive. */
export async function directoryOf(file: OpenFile, signal: AbortSignal): Promise<ArchiveDirectory> {
  const { entries, total } = (await openZip(file, signal)).directory;
  return { entries: entries.map(({ path, isFolder, size }) => ({ path, isFolder, size })), total };
}

/** A zip archive whose directory has been read. */
export interface OpenZip {
  readonly directory: ZipDirectory;
  /** Size of the whole archive in bytes. */
  readonly size: number;
  readonly read: Read;
}

/** Opens a remote zip archive; rejects with NOT_AN_ARCHIVE. */
export async function openZip(file: OpenFile, signal: AbortSignal): Promise<OpenZip> {
  const { size } = await file.stat(signal);
  if (size === undefined) throw appError('NOT_AN_ARCHIVE', { name: file.name });
  const read = async (start: number, end: number): Promise<Buffer> => {
    if (end <= start) return Buffer.alloc(0);
    return exactly(end - start, await file.read(signal, { range: { start, end } }), file.provider);
  };
  try {
    return { directory: await readZipDirectory(read, size), size, read };
  } catch (error) {
    if (error instanceof NotAZipError) throw appError('NOT_AN_ARCHIVE', { name: file.name }, error);
    throw error;
  }
}

/** Reads a range, which must have the requested length. */
async function exactly(length: number, body: Body, provider: string): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let at = 0;
  try {
    await body.drain(async (chunk) => {
      if (at + chunk.byteLength > length) throw appError('SOURCE_CONFUSED', { provider });
      bytes.set(chunk, at);
      at += chunk.byteLength;
    });
  } finally {
    body.cancel();
  }
  if (at !== length) throw appError('TRANSFER_CUT', { provider });
  return bytes;
}
