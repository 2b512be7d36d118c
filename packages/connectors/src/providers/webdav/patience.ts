import { Readable } from 'node:stream';
import type { HttpRequest } from '../../kit/http/http.ts';

/** Methods that may have a server work on a whole tree. */
const ofTrees: readonly string[] = ['COPY', 'DELETE', 'MOVE'];
/** ms for these, and the longest for any other. */
const longWork = 10 * 60_000;
/** ms for what a server does with the bytes of an upload when it has all of them: at least so many, and one for so many bytes, since some copy them to another place. */
const storing = { least: 30_000, bytes: 8 * 1024 } as const;

/** ms in which an answer must begin, for an upload from the end of its body on; undefined for the usual time. */
export function answerTimeOf({ method, body, size }: Pick<HttpRequest, 'method' | 'body' | 'size'>): number | undefined {
  if (ofTrees.includes(method)) return longWork;
  if (!(body instanceof Readable)) return undefined;
  return size === undefined ? longWork : Math.min(longWork, storing.least + Math.ceil(size / storing.bytes));
}
