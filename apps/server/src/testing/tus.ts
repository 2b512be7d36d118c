import { tus } from '@sheaf/contract';

/** What a request of the tus protocol says besides its headers. */
interface Speaker {
  /** The server's address. */
  readonly url: string;
  /** Headers that sign the user in. */
  headers(): Readonly<Record<string, string>>;
}

/** `Upload-Metadata` of those values. */
export const metadata = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** The requests of the tus protocol 1.0, each by itself. */
export function tusRequests({ url, headers }: Speaker) {
  const ask = (method: string, path: string, more: Readonly<Record<string, string>> = {}, body?: RequestInit['body']): Promise<Response> =>
    fetch(new URL(path, url), {
      method,
      headers: { ...headers(), 'tus-resumable': tus.version, ...more },
      ...(body !== undefined && { body, duplex: 'half' }),
    } as RequestInit);
  return {
    ask,
    create: (size: number, values: Readonly<Record<string, string>>): Promise<Response> =>
      ask('POST', tus.path, { 'upload-length': String(size), 'upload-metadata': metadata(values) }),
    patch: (location: string, offset: number, body: RequestInit['body'], more: Readonly<Record<string, string>> = {}): Promise<Response> =>
      ask('PATCH', location, { 'content-type': tus.bodyType, 'upload-offset': String(offset), ...more }, body),
    /** The next byte that the server expects. */
    async offset(location: string): Promise<number> {
      const response = await ask('HEAD', location);
      if (!response.ok) throw new Error(`HEAD ${location}: ${response.status}`);
      return Number(response.headers.get('upload-offset'));
    },
  };
}
