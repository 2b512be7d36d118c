import type { CallOptions, Body, ByteRange } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { partOf, rangeHeader } from '../../kit/http/part-of.ts';
import { FileAnswer, type FileFacts, type SlackItem, WhoAmI, toItem } from './api.ts';
import type { SlackClient } from './client.ts';

/** Reads files and thumbnails. */
export function createDownload(client: SlackClient) {
  /**
   * Sends a request with the token. An invalid token yields a sign-in page with status 200: then the token is checked, renewed if
   * necessary, and the request repeated once.
   */
  async function get(address: string, headers: Readonly<Record<string, string>>, mimeType: string, signal: AbortSignal) {
    for (let attempt = 1; ; attempt += 1) {
      const request = { method: 'GET', url: client.own(address), headers: { accept: '*/*', ...headers }, accepts: [416], signal };
      const response = await client.send(request);
      if (!isSignInPage(response, mimeType)) return response;
      response.body().cancel();
      if (attempt === 2) throw new ConnectorError('forbidden', 'Slack shows a page to sign in instead of the file');
      await client.call(WhoAmI, { name: 'auth.test', signal });
    }
  }

  /** Returns the file's metadata; requests it when the listing contained only the short form. */
  async function factsOf(
    item: SlackItem,
    { signal }: CallOptions,
  ): Promise<{ readonly facts: FileFacts; readonly entry: SlackItem['entry'] }> {
    const known = item.facts.file;
    if (known && (known.url !== undefined || known.isExternal)) return { facts: known, entry: item.entry };
    const { file } = await client.call(FileAnswer, { name: 'files.info', query: { file: item.id }, signal });
    const { facts, entry } = toItem(file);
    if (!facts.file) throw new ConnectorError('isAFolder', 'the item is no file');
    return { facts: facts.file, entry };
  }

  return {
    /**
     * Streams a file or a range of it; rejects with `unsupported` when another service stores it, and with `damaged` when its length
     * differs from Slack's metadata.
     */
    async read(item: SlackItem, range: ByteRange | undefined, ask: CallOptions): Promise<Body> {
      const { facts, entry } = await factsOf(item, ask);
      if (facts.isExternal) throw new ConnectorError('unsupported', 'the file lies at another service');
      if (facts.url === undefined) throw new ConnectorError('forbidden', 'Slack gives no address of the bytes');
      const response = await get(facts.url, rangeHeader(range), entry.mimeType ?? '', ask.signal);
      const body = partOf(response, range, entry);
      if (response.status !== 200 || !facts.isStored || entry.size === undefined) return body;
      const length = response.headers['content-length'];
      if (length === undefined || Number(length) === entry.size) return body;
      body.cancel();
      throw new ConnectorError('damaged', `Slack sends ${length} of ${entry.size} bytes`);
    },
    /** Returns the smallest thumbnail of at least the requested size, otherwise the largest. */
    async thumbnail(item: SlackItem, size: number, ask: CallOptions): Promise<Body> {
      const { facts } = await factsOf(item, ask);
      const picture = facts.thumbnails.find((one) => one.size >= size) ?? facts.thumbnails.at(-1);
      if (!picture) throw new ConnectorError('unsupported', 'Slack has no picture of it');
      const response = await get(picture.url, {}, 'image/*', ask.signal);
      const mimeType = response.headers['content-type'] ?? '';
      if (response.status === 200 && mimeType.startsWith('image/')) return response.body({ mimeType });
      response.body().cancel();
      throw new ConnectorError('unexpected', 'the picture is none');
    },
  };
}

/** Files that are HTML pages are sent as attachments. */
const isSignInPage = ({ status, headers }: HttpResponse, mimeType: string): boolean =>
  status === 200 &&
  headers['content-type']?.startsWith('text/html') === true &&
  !(mimeType === 'text/html' && headers['content-disposition']?.startsWith('attachment') === true);
