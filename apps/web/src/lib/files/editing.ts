import { type Item, type ReplyOf, download, upload } from '@sheaf/contract';
import { errorOfAnswer, faultError } from '#/lib/http/call-error.ts';
import { rTag } from '#/lib/http/cookie.ts';
import { WordedError } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { mostEdited } from './editable.ts';

/** A text file as it was read, to be saved over exactly this version. */
export interface EditedText {
  readonly text: string;
  /** Tag of the version; absent where the source has no tags and no dates, so that its bytes are compared instead. */
  readonly etag: string | undefined;
  /** Whether the file begins with a byte order mark. */
  readonly hasMark: boolean;
  /** Undo id that restores the replaced version, where the storage keeps it. */
  readonly undoId?: string | undefined;
}

interface Place {
  readonly parentLinkUri: string;
  readonly name: string;
}

/** Milliseconds for one request. */
const deadline = 60_000;
/** Most times that a file is read again because it was changed meanwhile. */
const mostReads = 3;

/** Reads the whole file and its tag. Rejects with a CallError, and with a WordedError for a file that cannot be edited. */
export async function readToEdit(linkUri: string): Promise<EditedText> {
  for (let reads = 0; reads < mostReads; reads++) {
    const before = await tagOf(linkUri);
    const read = await readBytes(linkUri);
    // Some sources report another tag with the bytes: then only the same tag before and after proves that these are the version's bytes.
    if (read.etag === before || (await tagOf(linkUri)) === before) return { ...decode(read.bytes), etag: before };
  }
  throw new WordedError('This file is being changed right now. Please try again.');
}

async function tagOf(linkUri: string): Promise<string | undefined> {
  const response = await ask(withQuery(download.path, { linkUri }), { method: 'HEAD' });
  if (response.ok) return response.headers.get('etag') ?? undefined;
  // An answer to HEAD has no body, so that a GET is needed for the reason.
  await readBytes(linkUri);
  throw faultError('unreadable');
}

async function readBytes(linkUri: string): Promise<{ bytes: Uint8Array; etag: string | undefined }> {
  const response = await ask(withQuery(download.path, { linkUri }), { cache: 'no-store' });
  if (!response.ok) throw errorOfAnswer(await response.json().catch(() => undefined));
  if (Number(response.headers.get('content-length') ?? 0) > mostEdited) {
    await response.body?.cancel();
    throw new WordedError('This file is too large to edit here.');
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, etag: response.headers.get('etag') ?? undefined };
}

/** Refuses other encodings than UTF-8, which saving would destroy. */
function decode(bytes: Uint8Array): Pick<EditedText, 'text' | 'hasMark'> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), hasMark };
  } catch (error) {
    if (error instanceof TypeError) throw new WordedError('Only text in UTF-8 can be edited here. This file uses another encoding.');
    throw error;
  }
}

const encode = (text: string, hasMark: boolean): Blob => new Blob([hasMark ? '\uFEFF' : '', text]);

/** Saves over the version that was read. Rejects with FILE_CHANGED when the file has changed, or is gone. */
export async function saveOver(linkUri: string, { parentLinkUri, name }: Place, read: EditedText, text: string): Promise<EditedText> {
  if (read.etag === undefined && decode((await readBytes(linkUri)).bytes).text !== read.text)
    throw errorOfAnswer({ errorCode: 840, messageCode: 'FILE_CHANGED', message: '', details: { name } });
  const guard = read.etag === undefined ? {} : { ifMatch: read.etag };
  const { etag, undoId } = await put({ parentLinkUri, name, conflict: 'replace', ...guard }, encode(text, read.hasMark));
  return { text, etag, hasMark: read.hasMark, undoId };
}

/** Stores a new text file; a taken name gets a number. */
export const putText = ({ parentLinkUri, name }: Place, text: string, hasMark = false): Promise<Item> =>
  put({ parentLinkUri, name, conflict: 'rename' }, encode(text, hasMark));

/** Saves over whatever version is there now. */
export const saveAnyway = async ({ parentLinkUri, name }: Place, read: EditedText, text: string): Promise<EditedText> => {
  const item = await put({ parentLinkUri, name, conflict: 'replace' }, encode(text, read.hasMark));
  return { text, etag: await tagOf(item.linkUri), hasMark: read.hasMark, undoId: item.undoId };
};

type Stored = ReplyOf<typeof upload>;

async function put(query: Record<string, string>, body: Blob): Promise<Stored> {
  const headers = { 'x-rtag': rTag(), 'content-type': 'application/octet-stream' };
  const response = await ask(withQuery(upload.path, query), { method: 'PUT', body, headers });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok || typeof answer !== 'object' || answer === null || !('data' in answer)) throw errorOfAnswer(answer);
  return answer.data as Stored;
}

const ask = (href: string, init: RequestInit): Promise<Response> =>
  fetch(href, { ...init, credentials: 'same-origin', signal: AbortSignal.timeout(deadline) }).catch((cause: unknown) => {
    throw faultError('noResponse', cause);
  });
