import type { Entry } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { davRoot, encodeName } from '#/serving/dav/address.ts';
import { DavError, statusOf } from '#/serving/dav/answers.ts';
import { type Attrs, type NamedAttrs, SftpError, type Status, status } from './wire/codec.ts';

/** Types and rights in `mode` (POSIX, sys/stat.h). */
const folderType = 0o040000;
const fileType = 0o100000;

export interface Shown {
  readonly entry: Entry;
  readonly canWrite: boolean;
}

export function attrsOf({ entry, canWrite }: Shown): Attrs {
  const { kind, size, modified } = entry;
  const mode = kind === 'folder' ? folderType | (canWrite ? 0o755 : 0o555) : fileType | (canWrite ? 0o644 : 0o444);
  return { mode, size: kind === 'folder' ? 0 : (size ?? 0), ...(modified !== undefined && { modified: Math.trunc(modified) }) };
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Age in seconds from which `ls -l` shows the year instead of the hour. */
const longAgo = 180 * 86_400;

function dateOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return 'Jan  1  1970';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = String(date.getUTCDate()).padStart(2, ' ');
  const isRecent = Math.abs(Date.now() / 1000 - seconds) < longAgo;
  const end = isRecent ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}` : ` ${date.getUTCFullYear()}`;
  return `${monthNames[date.getUTCMonth()]} ${day} ${end}`;
}

/** An entry with a line as `ls -l` writes it. */
export function namedAttrs(shown: Shown): NamedAttrs {
  const { name, kind, modified = 0 } = shown.entry;
  const attrs = attrsOf(shown);
  const rights = [6, 3, 0].map((at) => {
    const bits = ((attrs.mode ?? 0) >> at) & 7;
    return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 1 ? 'x' : '-'}`;
  });
  const line = `${kind === 'folder' ? 'd' : '-'}${rights.join('')}    1 sheaf    sheaf    ${String(attrs.size ?? 0).padStart(12)} ${dateOf(modified)} ${name}`;
  return { name, line, attrs };
}

/** The absolute path without `.` and `..`, which clients use to move about. Never above the root. */
export function resolved(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** The address of the same item in WebDAV, which resolves and changes it for both. */
export const davPathOf = (path: string): string => davRoot + resolved(path).slice(1).split('/').map(encodeName).join('/');

/** The status for a client, with its sentence. */
export function refusalOf(error: unknown): { readonly code: Status; readonly message: string } | undefined {
  if (error instanceof SftpError) return { code: error.status, message: error.message };
  if (!(error instanceof DavError) && !(error instanceof AppError)) return undefined;
  const http = error instanceof DavError ? error.status : statusOf(error);
  const message = error instanceof AppError ? error.toAnswer().message : (sentences[http] ?? 'This is not possible.');
  if (error instanceof AppError && error.messageCode === 'SOURCE_CANNOT') return { code: status.unsupported, message };
  if (http === 404 || http === 409) return { code: status.noSuchFile, message };
  return { code: http === 403 || http === 401 || http === 423 ? status.permissionDenied : status.failure, message };
}

const sentences: Readonly<Record<number, string>> = {
  403: 'Permission denied.',
  404: 'There is no such file.',
  405: 'Something has this name already.',
  409: 'The folder is missing.',
  412: 'Something has this name already.',
  423: 'A program has locked this.',
};
