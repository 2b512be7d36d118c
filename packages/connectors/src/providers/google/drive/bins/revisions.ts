import { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import type { CallOptions, Entry } from '../../../../core/connector.ts';
import { ConnectorError } from '../../../../core/error.ts';
import { type VersionReadOptions, type Versions, mostVersions } from '../../../../core/replacing.ts';
import { partOf, rangeHeader } from '../../../../kit/http/part-of.ts';
import type { DriveFile, DriveItem } from '../api.ts';
import type { DriveClient } from '../client.ts';
import { isGoogles } from '../exports.ts';
import type { Places } from '../places.ts';
import { type Destination, upload } from '../upload.ts';

interface Deps {
  readonly client: DriveClient;
  readonly places: Pick<Places, 'now'>;
  /** Returns the upload destination that replaces the file; throws for a file that cannot be replaced by bytes. */
  readonly replaceable: (item: DriveItem) => Destination;
  /** Returns the entry of a file whose bytes were just replaced. */
  readonly learntUpload: (path: string, file: DriveFile, there: DriveItem, ask: CallOptions) => Promise<Entry>;
}

const text = Type.Optional(Type.String());
const Revision = Type.Object({
  id: Type.String({ minLength: 1 }),
  size: text,
  modifiedTime: text,
  keepForever: Type.Optional(Type.Boolean()),
});
const RevisionList = Type.Object({ revisions: Type.Optional(Type.Array(Revision)), nextPageToken: text });
const revisionFields = 'id,size,modifiedTime,keepForever';
const pageSize = 1000;

/**
 * Revisions of files with bytes. Drive keeps them for 30 days and at most a hundred of them, unless one is marked as kept forever. Google's
 * own documents have revisions that cannot be read by id; they are not offered here.
 * https://developers.google.com/workspace/drive/api/guides/change-overview
 */
export function createRevisions({ client, places, replaceable, learntUpload }: Deps): Required<Versions> {
  const { api } = client;

  /** Returns the file at the path; undefined where it has no bytes of its own. */
  async function fileAt(path: string, ask: CallOptions): Promise<DriveItem | undefined> {
    const item = await places.now(path, ask);
    if (item.kind === 'folder') throw new ConnectorError('isAFolder', 'the item is a folder');
    const { isBroken, mimeType } = item.facts;
    return isBroken || item.facts.export || isGoogles(mimeType) ? undefined : item;
  }

  const addressOf = ({ facts }: DriveItem): string => `/drive/v3/files/${encodeURIComponent(facts.target)}/revisions`;
  const headOf = async ({ facts }: DriveItem, ask: CallOptions): Promise<string | undefined> =>
    (await client.file(facts.target, ask))?.headRevisionId;

  function bytesOf(item: DriveItem, id: string, { range, signal }: VersionReadOptions) {
    const url = `${addressOf(item)}/${encodeURIComponent(id)}`;
    return api.send({ method: 'GET', url, query: { alt: 'media' }, headers: { accept: '*/*', ...rangeHeader(range) }, signal });
  }

  return {
    async versionOf(path, ask) {
      const item = await fileAt(path, ask);
      return item && headOf(item, ask);
    },

    async listVersions(path, ask) {
      const item = await fileAt(path, ask);
      if (!item) return undefined;
      const found: Static<typeof Revision>[] = [];
      for (let pageToken: string | undefined, isFirst = true; isFirst || pageToken !== undefined; isFirst = false) {
        const from: { readonly pageToken?: string } = pageToken === undefined ? {} : { pageToken };
        const query = { fields: `nextPageToken,revisions(${revisionFields})`, pageSize, ...from };
        const page = await api.json(RevisionList, { method: 'GET', url: addressOf(item), query, signal: ask.signal });
        found.push(...(page.revisions ?? []));
        pageToken = page.nextPageToken;
      }
      const head = (await headOf(item, ask)) ?? found.at(-1)?.id;
      // Drive lists the oldest revision first.
      const earlier = found.toReversed().filter(({ id }) => id !== head);
      return earlier.slice(0, mostVersions).map(({ id, size, modifiedTime }) => {
        const modified = Date.parse(modifiedTime ?? '');
        return { id, ...(size !== undefined && { size: Number(size) }), ...(Number.isFinite(modified) && { modified: modified / 1000 }) };
      });
    },

    async readVersion(path, id, ask) {
      const item = await fileAt(path, ask);
      if (!item) throw new ConnectorError('notFound', 'such a document has no versions here');
      return partOf(await bytesOf(item, id, ask), ask.range);
    },

    /** Drive cannot make a revision the newest one again: its bytes are uploaded again. */
    async restoreVersion(path, id, ask) {
      const item = await fileAt(path, ask);
      if (!item) throw new ConnectorError('notFound', 'such a document has no versions here');
      const to = replaceable(item);
      const { size } = await api.json(Revision, {
        method: 'GET',
        url: `${addressOf(item)}/${encodeURIComponent(id)}`,
        query: { fields: revisionFields },
        signal: ask.signal,
      });
      const body = Readable.from((await bytesOf(item, id, ask)).stream());
      try {
        const options = { ...ask, ifExists: 'replace', ...(size !== undefined && { size: Number(size) }) } as const;
        return await learntUpload(path, await upload(client, to, body, options), item, ask);
      } finally {
        body.destroy();
      }
    },
  };
}
