import type { CallOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { HiddenObject, HiddenPage } from '../../kit/object-store/object-versions.ts';
import type { BlobState } from './api.ts';
import type { AzureClient } from './client.ts';
import { namesWithStates, pageOfStates } from './listing.ts';

interface Deps {
  readonly client: AzureClient;
  readonly pageSize: number;
  /** Copies a snapshot over its own blob. */
  readonly copySnapshot: (key: string, snapshot: string, ask: CallOptions) => Promise<void>;
}

const include = ['deleted', 'snapshots'] as const;

/**
 * Blobs kept by soft delete: https://learn.microsoft.com/azure/storage/blobs/soft-delete-blob-overview. A deleted blob keeps its name until it is
 * undeleted; when another takes the name, it becomes a deleted snapshot of that one, and so does what is overwritten. A content is known by its ETag, which its
 * snapshot keeps. Deleted snapshots cannot be read, and only all those of a name can be undeleted: those that were overwritten are deleted again, so
 * that their time does not stop. Therefore they are neither listed nor read, which must change nothing.
 */
export function createDeleted({ client, pageSize, copySnapshot }: Deps) {
  /** All states of one blob. */
  async function statesOf(key: string, ask: CallOptions): Promise<readonly BlobState[]> {
    // A blob's own states come before those of longer names.
    for await (const names of namesWithStates(client, { ...ask, prefix: key, include, size: pageSize }))
      for (const states of names) return states[0]?.object.key === key ? states : [];
    return [];
  }

  /** https://learn.microsoft.com/rest/api/storageservices/undelete-blob */
  async function undelete(blob: string, { signal }: CallOptions): Promise<void> {
    const answer = await client.send({ method: 'PUT', blob, query: { comp: 'undelete' }, signal });
    await answer.discard();
  }

  async function deleteSnapshots(blob: string, snapshots: readonly string[], { signal }: CallOptions): Promise<void> {
    for (const snapshot of snapshots)
      try {
        const answer = await client.send({ method: 'DELETE', blob, query: { snapshot }, signal });
        await answer.discard();
      } catch (error) {
        // The content is back all the same.
        if (!isKind(error, 'notFound', 'forbidden')) throw error;
      }
  }

  const restore = async (key: string, etag: string, ask: CallOptions): Promise<void> => {
    const states = await statesOf(key, ask);
    const wanted = states.find(({ object }) => object.etag === etag);
    if (!wanted) throw new ConnectorError('notFound', 'the blob has no such snapshot');
    if (wanted.isCurrent) return;
    const undeletes = wanted.isDeleted || states.some(({ snapshot, isDeleted }) => snapshot === undefined && isDeleted);
    if (undeletes) await undelete(key, ask);
    if (wanted.snapshot !== undefined) await copySnapshot(key, wanted.snapshot, ask);
    if (undeletes) await deleteSnapshots(key, overwrittenIn(states), ask);
  };

  return {
    /** Makes the content with that ETag the present one, inside the store. Rejects with `notFound`. */
    restore,

    /** The deleted blobs with that prefix. */
    async *hidden(prefix: string, ask: CallOptions): AsyncGenerator<readonly HiddenObject[]> {
      for await (const names of namesWithStates(client, { ...ask, prefix, include, size: pageSize }))
        yield names.flatMap((states) => {
          const blob = states.find(({ snapshot, isDeleted }) => snapshot === undefined && isDeleted);
          return blob ? [toHidden(blob, overwrittenIn(states))] : [];
        });
    },

    async pageOfHidden(marker: string | undefined, { signal }: CallOptions): Promise<HiddenPage> {
      const { states, next } = await pageOfStates(client, { include: ['deleted'], size: pageSize, marker, signal });
      const blobs = states.filter(({ snapshot, isDeleted, isStub }) => snapshot === undefined && isDeleted && !isStub);
      return { objects: blobs.map((blob) => toHidden(blob, [])), ...(next !== undefined && { cursor: next }) };
    },

    /** The deleted content with that ETag, also when its name is taken. */
    async hiddenContent(key: string, etag: string, ask: CallOptions): Promise<HiddenObject | undefined> {
      const found = (await statesOf(key, ask)).find(({ object, isDeleted }) => isDeleted && object.etag === etag);
      return found && { ...toHidden(found, []), version: etag };
    },

    async reveal({ key, marker, version }: HiddenObject, ask: CallOptions): Promise<void> {
      if (version !== undefined) return restore(key, version, ask);
      await undelete(key, ask);
      await deleteSnapshots(key, marker.split(' ').filter(Boolean), ask);
    },
  };
}

const toHidden = ({ object, deletedAt = 0 }: BlobState, overwritten: readonly string[]): HiddenObject => ({
  key: object.key,
  marker: overwritten.join(' '),
  at: deletedAt,
  size: object.size,
});

/** Milliseconds within which a snapshot is taken for one that was deleted together with its blob; the service tells whole seconds. */
const together = 2000;

/** The snapshots that were deleted before their blob was: those of contents that were overwritten, and those that somebody deleted. */
function overwrittenIn(states: readonly BlobState[]): string[] {
  const deletedAt = states.find(({ snapshot, isDeleted }) => snapshot === undefined && isDeleted)?.deletedAt;
  const until = deletedAt === undefined ? Infinity : deletedAt - together;
  return states.flatMap(({ snapshot, isDeleted, deletedAt = 0 }) =>
    snapshot !== undefined && isDeleted && deletedAt < until ? [snapshot] : [],
  );
}
