import type { CallOptions, Entry } from '../../../core/connector.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { unlessRefused } from '../../../core/service-copy.ts';
import { pause } from '../../../kit/concurrency/backoff.ts';
import { afterChange } from '../../../kit/concurrency/retry-busy.ts';
import { parentOf } from '../../../kit/names/path.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { retryAfterOf } from '../../../kit/rest/refusal.ts';
import type { Graph } from '../account/client.ts';
import { CopyStatus, DriveItem, type GraphItem, type Place, addressOf, readItem } from '../api.ts';
import { kindOfCode, naming } from '../errors.ts';
import type { FormerPlaces } from './former-places.ts';
import { type DriveTree, changeable, childNamed, folderFor } from './items.ts';
import { newNameOf } from './names.ts';

/** Polling interval of a copy's progress in ms, first and longest. */
const [firstWait, longestWait] = [100, 4000];
/** Maximum consecutive failures of that request. */
const mostFailures = 5;

/** Server-side rename, move and copy; none of them overwrites. */
export function createRelocation(graph: Graph, tree: DriveTree, former: FormerPlaces) {
  /** A drive's own id and its root's id, by the drive's URL path. */
  const roots = new Map<string, Reference>();

  /** Returns the folder reference for the service, which does not accept the aliases `me` and `root`. */
  async function referenceOf({ drive, id }: Place, { signal }: CallOptions): Promise<Reference> {
    const known = /^\/drives\/(.+)$/.exec(drive)?.[1];
    if (known !== undefined && id !== 'root') return { driveId: decodeURIComponent(known), id };
    const root = roots.get(drive) ?? (await rootOf(drive, signal));
    roots.set(drive, root);
    return id === 'root' ? root : { driveId: root.driveId, id };
  }

  async function rootOf(drive: string, signal: AbortSignal) {
    const query = { $select: 'id,parentReference' };
    const { id, parentReference } = await graph.json(DriveItem, { method: 'GET', url: `${drive}/root`, query, signal });
    if (parentReference?.driveId) return { driveId: parentReference.driveId, id };
    throw new ConnectorError('unexpected', 'the service tells no id of a drive');
  }

  return {
    referenceOf,
    async move(from: string, to: string, ask: CallOptions): Promise<Entry> {
      const { self } = (await changeable(tree, from, ask)).facts;
      const name = newNameOf(to);
      const folder = await folderFor(tree, to, ask);
      if (folder.drive !== self.drive) throw new ConnectorError('unsupported', 'nothing is moved from one drive to another');
      const json = {
        name,
        '@microsoft.graph.conflictBehavior': 'fail',
        ...(parentOf(from) !== parentOf(to) && { parentReference: { id: (await referenceOf(folder, ask)).id } }),
      };
      const request = { method: 'PATCH', url: addressOf(self), json, signal: ask.signal };
      const moved = readItem(await naming(graph.json(DriveItem, request)), folder.drive);
      former.add(self.id, from);
      tree.forget(from);
      if (!moved) throw new ConnectorError('unexpected', 'the item became something else');
      return tree.learnt(to, moved);
    },
    async copy(from: string, to: string, ask: CallOptions): Promise<Entry> {
      const { self } = (await changeable(tree, from, ask)).facts;
      return copyItem(self, to, ask, (step) => step());
    },
    /** Returns the location of a file's content, for another account that may read it. */
    async locate({ facts }: GraphItem, ask: CallOptions): Promise<string> {
      return JSON.stringify(await referenceOf(facts.inside, ask));
    },
    /** Copies a file of any drive that this account may read, by its location; rejects with `unsupported` where the service refuses. */
    async copyFrom(location: string, to: string, ask: CallOptions): Promise<Entry> {
      const { driveId, id } = JSON.parse(location) as Reference;
      return copyItem({ drive: `/drives/${encodeURIComponent(driveId)}`, id }, to, ask, unlessRefused);
    },
  };

  /** Copies an item; `heed` maps refusals of the copy. A failed request for the copy's state is no refusal, because the copy is running. */
  async function copyItem(self: Place, to: string, ask: CallOptions, heed: typeof unlessRefused): Promise<Entry> {
    const name = newNameOf(to);
    const folder = await folderFor(tree, to, ask);
    const json = { parentReference: await referenceOf(folder, ask), name };
    const request = { method: 'POST', url: `${addressOf(self)}/copy`, json, signal: ask.signal };
    const response = await heed(() => naming(graph.send(request)));
    await response.discard();
    const { location } = response.headers;
    // From here on the copy is running: a failure must not start another.
    const copy = await afterChange(ask.signal, async () => {
      const failure = location === undefined ? undefined : await failureOf(graph, graph.elsewhere(location), ask.signal);
      if (failure) await heed(() => Promise.reject(failure));
      return childNamed(graph, folder, name, ask);
    });
    if (!copy) throw new ConnectorError('unexpected', 'the copy is not there');
    return tree.learnt(to, copy);
  }
}

/** An item by the service's ids, without aliases. */
interface Reference {
  readonly driveId: string;
  readonly id: string;
}

/**
 * Waits until the copy has ended; returns why it failed, or undefined when it is complete. Cancelling does not stop it: the service has no
 * call for that.
 */
async function failureOf(graph: Graph, url: string, signal: AbortSignal): Promise<ConnectorError | undefined> {
  let failures = 0;
  for (let wait = firstWait; ; wait = Math.min(wait * 1.5, longestWait)) {
    let asked = 0;
    try {
      const response = await graph.send({ method: 'GET', url, authorized: false, signal, accepts: [303] });
      // Some drives redirect to the new item instead of reporting completion.
      if (response.status === 303) {
        await response.discard();
        return undefined;
      }
      const { status, errorCode, error } = parseJson(CopyStatus, await response.text());
      if (status === 'completed') return undefined;
      if (status === 'failed')
        return new ConnectorError(kindOfCode(error?.code ?? errorCode ?? undefined), 'the service could not copy the item');
      failures = 0;
      asked = retryAfterOf(response.headers) ?? 0;
    } catch (error) {
      failures += 1;
      // The copy is still running: starting it again would create another.
      if (!isKind(error, 'rateLimited', 'unreachable', 'interrupted', 'timeout') || failures > mostFailures) throw error;
      asked = error.retryAfter ?? 0;
    }
    await pause(Math.max(wait, asked), signal);
  }
}
