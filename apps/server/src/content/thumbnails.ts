import type { Body } from '@sheaf/connectors';
import { type InputOf, appError, type thumbnail } from '@sheaf/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Links, openItem } from './place.ts';
import { pour } from './pour.ts';

/** What a picture may be: formats in which nothing runs. */
const pictures: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);
/** Bytes of the largest picture that is passed on. */
const largest = 8 << 20;
/** Seconds for which a browser keeps a picture: its address changes with the file. */
const keepFor = 86_400;

export interface OpenThumbnail {
  readonly provider: string;
  readonly body: Body;
  readonly mediaType: string;
}

/** Small pictures, made by the sources. */
export const createThumbnails = ({ links }: { readonly links: Links }) => ({
  /** Rejects with SOURCE_CANNOT where the source makes none, and with SOURCE_CONFUSED when what it made is no picture. */
  async openThumbnail(userId: string, { linkUri, size }: InputOf<typeof thumbnail>, signal: AbortSignal): Promise<OpenThumbnail> {
    const { connector, provider, path } = await openItem(links, userId, linkUri);
    if (!connector.thumbnail) throw appError('SOURCE_CANNOT', { provider });
    const body = await connector.thumbnail(path, { size, signal });
    const mediaType = body.entry.mimeType?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!pictures.has(mediaType) || (body.size ?? 0) > largest) {
      body.cancel();
      throw appError('SOURCE_CONFUSED', { provider });
    }
    return { provider, body, mediaType };
  },
});

/** Answers a picture as it comes from the source. */
export async function sendThumbnail(
  { provider, body, mediaType }: OpenThumbnail,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    'content-type': mediaType,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': `private, max-age=${keepFor}`,
    ...(body.size !== undefined && { 'content-length': body.size }),
  });
  try {
    await pour(body, raw, { provider, ...(body.size !== undefined && { expected: body.size }) });
  } catch (error) {
    // The head is sent: all that is left is to break off, which pour has done.
    request.log.info({ err: error }, 'thumbnail broken off');
  }
  return reply;
}
