import { fetchFile } from '#/lib/http/fetch-file.ts';

/** A text or its beginning. */
export interface ReadText {
  readonly text: string;
  /** Whether the text was cut. */
  readonly isCut: boolean;
}

/** Most bytes of a text that are shown. */
const mostBytes = 1 << 20;

/** Reads the beginning of the file with a range request; rejects with a CallError. */
export async function readText(href: string, signal: AbortSignal): Promise<ReadText> {
  const response = await fetchFile(href, { signal, headers: { range: `bytes=0-${mostBytes - 1}` } });
  // An empty file satisfies no range.
  if (response.status === 416) return { text: '', isCut: false };
  const bytes = await firstBytes(response.body);
  const [, total] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  const isCut = total === undefined ? bytes.length >= mostBytes : Number(total) > bytes.length;
  return { text: decodeText(bytes, isCut), isCut };
}

/** Reads the bytes that are shown, without waiting for the rest. */
async function firstBytes(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < mostBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  await reader.cancel();
  const bytes = new Uint8Array(Math.min(length, mostBytes));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, bytes.length - at), at);
    at += Math.min(chunk.length, bytes.length - at);
  }
  return bytes;
}

/** Decodes bytes of unknown encoding: by their byte order mark (UTF-8, UTF-16), else as UTF-8 if valid, else as Windows-1252. */
export function decodeText(bytes: Uint8Array, isCut = false): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // A character cut by the end of the range must not count as invalid.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
