import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { SentPart, UploadOptions } from '../../core/upload.ts';
import type { ObjectStore, PutOptions } from '../../kit/object-store/object-store.ts';
import {
  type FinishedObject,
  type NumberedObjectUploads,
  type ObjectUploads,
  indexOfPart,
  partSizeFor,
  receiptsOf,
  sessionAs,
  sizeOfPart,
} from '../../kit/object-store/object-uploads.ts';
import { unknownUpload } from '../../kit/object-store/partial-upload.ts';
import { scanXml } from '../../kit/xml/xml.ts';
import { type Block, md5Header, toBlock } from './api.ts';
import type { AzureClient } from './client.ts';
import { lacksBlocks } from './errors.ts';
import { azurePartSizes, blockId, commit, newUpload } from './upload.ts';

interface Options {
  readonly head: ObjectStore['head'];
  /** Default size of a part in bytes; 16 MiB if not given. */
  readonly usualPart: number | undefined;
}

const Numbered = Type.Object({ upload: Type.String({ pattern: '^[\\da-f]{16}$' }) });
const Session = Type.Object({
  ...Numbered.properties,
  partSize: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 1 }),
});

/** Concurrent parts of one file. */
const width = 4;
/** Seconds after which the service discards uncommitted blocks: https://learn.microsoft.com/rest/api/storageservices/put-block */
const lifetime = 7 * 24 * 60 * 60;
/**
 * Names of one-byte blocks that are never committed: the upload exists while the first one exists, and was abandoned once the second one
 * exists too.
 */
const begun = 'begun';
const ended = 'ended';

/**
 * Uploads in blocks that another process can continue; the ids of the blocks contain that of the upload. A commit of the blob by anyone
 * discards the blocks of all its uploads. The service computes no hash of a blob of blocks: it stores the one that the commit contains.
 */
export function createParts(
  client: AzureClient,
  { head, usualPart }: Options,
): { readonly uploads: ObjectUploads; readonly numbered: NumberedObjectUploads } {
  async function blocksOf(blob: string, kind: 'committed' | 'uncommitted', signal: AbortSignal): Promise<Block[]> {
    const query = { comp: 'blocklist', blocklisttype: kind };
    const blocks: Block[] = [];
    try {
      const response = await client.send({ method: 'GET', blob, query, signal });
      for await (const elements of scanXml(response.stream(), ['Block'])) blocks.push(...elements.map(toBlock));
      return blocks;
    } catch (error) {
      if (isKind(error, 'notFound')) return [];
      throw error;
    }
  }

  const putMark = async (blob: string, blockid: string, signal: AbortSignal): Promise<void> => {
    const answer = await client.send({ method: 'PUT', blob, query: { comp: 'block', blockid }, body: '.', signal });
    await answer.discard();
  };

  async function isThere(blob: string, upload: string, signal: AbortSignal): Promise<readonly Block[] | undefined> {
    const blocks = await blocksOf(blob, 'uncommitted', signal);
    const has = (word: string) => blocks.some(({ id }) => id === blockId(upload, word));
    return has(begun) && !has(ended) ? blocks : undefined;
  }

  async function state(blob: string, { signal, session }: UploadOptions): Promise<{ readonly parts: readonly SentPart[] }> {
    const { upload, ...plan } = sessionAs(Session, session);
    const blocks = await isThere(blob, upload, signal);
    if (!blocks) throw unknownUpload();
    const sizes = new Map(blocks.map(({ id, size }) => [id, size]));
    const parts: SentPart[] = [];
    for (let index = 0; index * plan.partSize < plan.size; index += 1) {
      const [receipt, size] = [blockId(upload, index), sizeOfPart(plan, index)];
      if (sizes.get(receipt) === size) parts.push({ offset: index * plan.partSize, size, receipt });
    }
    return { parts };
  }

  async function begin(blob: string, signal: AbortSignal): Promise<{ readonly upload: string; readonly expires: number }> {
    const upload = newUpload();
    await putMark(blob, blockId(upload, begun), signal);
    return { upload, expires: Math.floor(Date.now() / 1000) + lifetime };
  }

  async function putBlock(blob: string, blockid: string, body: Readable, { size, signal }: PartBytes): Promise<string> {
    const answer = await client.send({ method: 'PUT', blob, query: { comp: 'block', blockid }, body, size, signal });
    await answer.discard();
    return blockid;
  }

  async function commitBlocks(blob: string, ids: readonly string[], ask: PutOptions, md5?: string): Promise<FinishedObject> {
    try {
      await (await commit(client, blob, ids, ask, md5Header(md5))).discard();
    } catch (error) {
      throw lacksBlocks(error) ? unknownUpload(error) : error;
    }
    const object = await head(blob, { signal: ask.signal });
    if (!object) throw new ConnectorError('interrupted', 'the blob was deleted right after it was stored');
    // The MD5 comes from the commit and therefore does not verify this upload.
    const { hashes: _, ...stored } = object;
    return { object: stored };
  }

  async function abandon(blob: string, { signal, session }: UploadOptions): Promise<void> {
    const { upload } = sessionAs(Numbered, session);
    if (await isThere(blob, upload, signal)) await putMark(blob, blockId(upload, ended), signal);
  }

  const numbered: NumberedObjectUploads = {
    async begin(blob, { signal }) {
      const { upload, expires } = await begin(blob, signal);
      return { session: JSON.stringify({ upload }), smallest: 1, expires, kept: () => undefined };
    },
    sendPart: (blob, body, { session, number, ...part }) =>
      putBlock(blob, blockId(sessionAs(Numbered, session).upload, number), body, part),
    async finish(blob, { parts, session, ...ask }) {
      // The service would also commit the blocks of an abandoned upload.
      if (!(await isThere(blob, sessionAs(Numbered, session).upload, ask.signal))) throw unknownUpload();
      const ids = parts.map(({ receipt }) => receipt);
      return commitBlocks(blob, ids, ask);
    },
    abandon,
  };

  const uploads: ObjectUploads = {
    async begin(blob, { size, signal }) {
      const partSize = partSizeFor(size, azurePartSizes.mostParts, usualPart);
      const { upload, expires } = await begin(blob, signal);
      return { session: JSON.stringify({ upload, partSize, size }), partSize, parallel: width, expires, kept: () => undefined };
    },

    async sendPart(blob, body, { session, ...part }) {
      const { upload, ...plan } = sessionAs(Session, session);
      return putBlock(blob, blockId(upload, indexOfPart(plan, part)), body, part);
    },

    state,

    async finish(blob, { parts, session, hashes, ...ask }) {
      const { signal } = ask;
      const ids = await receiptsOf(sessionAs(Session, session), parts, () => state(blob, { signal, session }));
      return commitBlocks(blob, ids, ask, hashes.md5);
    },

    async isFinished(blob, { signal, session }) {
      const { upload } = sessionAs(Session, session);
      return (await blocksOf(blob, 'committed', signal)).some(({ id }) => id === blockId(upload, 0));
    },

    abandon,
  };
  return { uploads, numbered };
}

interface PartBytes {
  readonly size: number;
  readonly signal: AbortSignal;
}
