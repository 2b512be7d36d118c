import type { Entry } from '../../core/connector.ts';
import { answerAfter, deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import type { DavClient } from './client.ts';
import { refuse } from './errors.ts';
import type { Places } from './places.ts';
import type { Resources } from './resources.ts';

interface Relocation {
  readonly from: string;
  readonly to: string;
  readonly kind: 'file' | 'folder';
  /** Size of a file in bytes; servers may copy the bytes for a MOVE too. */
  readonly size?: number | undefined;
  readonly overwrite: boolean;
  readonly signal: AbortSignal;
}

interface RelocationFrom extends Omit<Relocation, 'from'> {
  /** Path on the server. */
  readonly path: string;
}

/** Moves and copies on the server. */
export interface Relocate {
  /**
   * Sends MOVE or COPY for an item of known kind (RFC 4918, sections 9.8 and 9.9); rejects with `alreadyExists` when the destination is
   * taken, unless it may be overwritten.
   */
  send(method: 'MOVE' | 'COPY', relocation: Relocation): Promise<void>;
  /** Copies the file at that server path, of `size` bytes, without overwriting, and returns the new entry. */
  copyFrom(address: string, size: number | undefined, to: string, signal: AbortSignal): Promise<Entry>;
  /** Looks up the item's kind, moves or copies without overwriting, and returns the new entry. */
  run(method: 'MOVE' | 'COPY', from: string, to: string, signal: AbortSignal): Promise<Entry>;
}

export function createRelocate(client: DavClient, places: Places, resources: Resources): Relocate {
  const send: Relocate['send'] = (method, { from, ...relocation }) =>
    sendFrom(method, { ...relocation, path: places.address(from, relocation.kind) });

  async function sendFrom(method: 'MOVE' | 'COPY', { path, to, kind, size, overwrite, signal }: RelocationFrom): Promise<void> {
    const headers = {
      destination: places.destination(to, kind),
      overwrite: overwrite ? 'T' : 'F',
      ...(kind === 'folder' && { depth: 'infinity' }),
    };
    const headTimeout = kind === 'file' && size !== undefined ? answerAfter(size) : deadlines.longWork;
    const response = await client.send({ method, path, headers, signal, headTimeout });
    if (response.status === 201 || response.status === 204) return response.discard();
    // Servers report a taken destination with various statuses when a file meets a folder. What may be overwritten does not take the place.
    if ([301, 302, 307, 308, 400, 403, 405, 409, 500].includes(response.status)) {
      const taken = await resources.find(to, signal);
      if (taken && !(overwrite && taken.kind === kind)) {
        await response.discard();
        throw new ConnectorError('alreadyExists', `the place is taken: ${response.status}`);
      }
    }
    // RFC 4918, section 9.9.4: the server considers the destination to be on another server. This is not a connection error.
    if (response.status === 502) throw new ConnectorError('failed', `the server refuses the destination of ${method}`);
    return refuse(response);
  }

  return {
    send,
    async copyFrom(path, size, to, signal) {
      await sendFrom('COPY', { path, to, kind: 'file', size, overwrite: false, signal });
      const copy = await resources.find(to, signal);
      if (copy?.kind !== 'file') throw notDone('COPY');
      return copy;
    },
    async run(method, from, to, signal) {
      const item = await resources.stat(from, signal);
      if (to === from) throw new ConnectorError('alreadyExists', 'the item is there already');
      if (from === '/' || to.startsWith(`${from}/`)) throw new ConnectorError('forbidden', 'a folder cannot go into itself');
      await send(method, { from, to, kind: item.kind, size: item.size, overwrite: false, signal });
      const moved = await resources.find(to, signal);
      if (moved?.kind !== item.kind) throw notDone(method);
      return moved;
    },
  };
}

/** Returns the error for a server that confirms a change which it has not made. */
export const notDone = (method: 'MOVE' | 'COPY'): ConnectorError =>
  new ConnectorError('failed', `the server says that ${method} has succeeded, and nothing is there`, { details: { problem: 'notDone' } });
