import type { Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseLines, toEntry } from './api.ts';
import { codeError } from './errors.ts';

const lineFeed = 0x0a;
/** Maximum bytes of a line; names have at most 255 on common file systems. */
const lineLimit = 64 * 1024;

/** Reads a listing as it arrives. Rejects with `interrupted` when the final line is missing, or with the error that it contains. */
export async function* readListing(response: HttpResponse): AsyncGenerator<readonly Entry[]> {
  let rest = Buffer.alloc(0);
  let ended = false;
  for await (const chunk of response.stream()) {
    const bytes = Buffer.concat([rest, chunk]);
    const cut = bytes.lastIndexOf(lineFeed) + 1;
    rest = bytes.subarray(cut);
    if (rest.length > lineLimit) throw new ConnectorError('unexpected', `a line is longer than ${lineLimit} bytes`);
    if (cut === 0) continue;
    const entries: Entry[] = [];
    for (const line of parseLines(bytes.toString('utf8', 0, cut))) {
      if (ended) throw new ConnectorError('unexpected', 'the listing goes on after its end');
      if (line['end'] === true) ended = true;
      else if (line['error'] === undefined) entries.push(itemOf(line));
      else throw errorOf(line['error']);
    }
    if (entries.length > 0) yield entries;
  }
  if (!ended) throw new ConnectorError('interrupted', 'the listing broke off', { retryable: true });
}

/** Parses an entry of a folder; only the exported folder itself has no name. */
function itemOf(line: Readonly<Record<string, unknown>>): Entry {
  const entry = toEntry(line);
  if (entry.name === '') throw new ConnectorError('unexpected', 'an item without a name');
  return entry;
}

const errorOf = (error: unknown): ConnectorError =>
  codeError(typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined);
