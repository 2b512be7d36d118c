import { type Body, nameOf } from '@sheaf/connectors';
import { AppError, type InputOf, appError, type thumbnail } from '@sheaf/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendBody } from '#/files/bodies/send-body.ts';
import { canBePictured, mediaTypeOf } from '#/files/items/media-type.ts';
import { type Links, type OpenItem, isRoot, openItem } from '#/files/items/open-item.ts';
import type { Pictures } from '#/files/thumbnails/service.ts';

/** Accepted picture formats, in which no script can run. */
const shown: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);
/** Largest picture in bytes that is passed on. */
const largest = 8 << 20;
/** Seconds for which browsers cache a picture: its address changes with the file. */
const keepFor = 86_400;

export interface OpenThumbnail {
  readonly provider: string;
  readonly body: Body;
  readonly mediaType: string;
}

interface Deps {
  readonly links: Links;
  readonly pictures: Pictures;
}

/** Thumbnails: from the source if it makes them, else made by Sheaf from the file. */
export function createThumbnails({ links, pictures }: Deps) {
  const fromSource = async ({ connector, provider, path }: OpenItem, size: number, signal: AbortSignal): Promise<OpenThumbnail> => {
    if (!connector.thumbnail) throw appError('SOURCE_CANNOT', { provider });
    const body = await connector.thumbnail(path, { size, signal });
    const mediaType = body.entry.mimeType?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!shown.has(mediaType) || (body.size ?? 0) > largest) {
      body.cancel();
      throw appError('SOURCE_CONFUSED', { provider });
    }
    return { provider, body, mediaType };
  };
  const fromFile = async (item: OpenItem, size: number, signal: AbortSignal): Promise<OpenThumbnail> => {
    const { connector, provider, path, userLinkId } = item;
    const name = nameOf(path);
    if (isRoot(item)) throw appError('IS_A_FOLDER', { name: item.name });
    const entry = await connector.stat(path, { signal });
    if (entry.kind === 'folder') throw appError('IS_A_FOLDER', { name });
    if (!canBePictured(mediaTypeOf(name, entry.mimeType))) throw appError('NO_PICTURE', { name });
    const version = entry.etag ?? entry.modified;
    const original = {
      name,
      source: userLinkId,
      identity: JSON.stringify([userLinkId, path, version, entry.size]),
      isVersioned: version !== undefined,
      ...(entry.size !== undefined && { size: entry.size }),
      read: (ended: AbortSignal) => connector.read(path, { signal: ended }),
    };
    return { provider, body: bodyOf(await pictures.picture(original, size, signal)), mediaType: 'image/webp' };
  };

  return {
    /**
     * Rejects with NO_PICTURE for files without pictures, with SOURCE_CANNOT when only the source could make one and does not, and with
     * SOURCE_CONFUSED when the source returned no picture.
     */
    async openThumbnail(userId: string, { linkUri, size }: InputOf<typeof thumbnail>, signal: AbortSignal): Promise<OpenThumbnail> {
      const item = await openItem(links, userId, linkUri);
      if (!item.connector.thumbnail) return fromFile(item, size, signal);
      try {
        return await fromSource(item, size, signal);
      } catch (error) {
        const cannot = error instanceof AppError && error.messageCode === 'SOURCE_CANNOT';
        if (!cannot || !canBePictured(mediaTypeOf(nameOf(item.path)))) throw error;
        return fromFile(item, size, signal);
      }
    },
  };
}

/** An existing picture as a body. */
const bodyOf = (bytes: Buffer): Body => ({ size: bytes.length, entry: {}, drain: async (take) => take(bytes), cancel: () => undefined });

/** Sends a picture. */
export async function sendThumbnail(
  { provider, body, mediaType }: OpenThumbnail,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const head = {
    'content-type': mediaType,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': `private, max-age=${keepFor}`,
    ...(body.size !== undefined && { 'content-length': body.size }),
  };
  await sendBody(body, request, reply, { provider, status: 200, head, ...(body.size !== undefined && { expected: body.size }) });
  return reply;
}
