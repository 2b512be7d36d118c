import type { Readable } from 'node:stream';
import type { WriteOptions } from '../../../core/connector.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { Graph } from '../account/client.ts';
import { DriveItem, type GraphItem, type Place, UploadSession, addressOf, childAddressOf } from '../api.ts';

/** A name that appears to be free; `conflict` says what happens otherwise. */
export interface Free {
  readonly folder: Place;
  readonly name: string;
  readonly conflict: 'fail' | 'replace';
}

/** Destination of a body: a free name, or an existing file. */
export type Target = Free | { readonly file: GraphItem };

const conflict = '@microsoft.graph.conflictBehavior';

export const driveOfTarget = (target: Target): string => ('file' in target ? target.file.facts.inside.drive : target.folder.drive);

export const addressOfTarget = (target: Target): string =>
  'file' in target ? addressOf(target.file.facts.inside) : childAddressOf(target.folder, target.name);

const conflictOf = (target: Target): string => ('file' in target ? 'replace' : target.conflict);

const timeOf = (seconds: number): string => new Date(Math.floor(seconds) * 1000).toISOString();
const times = (modified: number) => ({ fileSystemInfo: { lastModifiedDateTime: timeOf(modified) } });

/** An upload session: its signed URL, and the time until which it accepts bytes; each fragment extends it. */
export interface OpenSession {
  readonly url: string;
  readonly expires?: string;
}

/** Opens an upload session. */
export async function openSession(
  graph: Graph,
  target: Target,
  { modified, signal }: Pick<WriteOptions, 'modified' | 'signal'>,
): Promise<OpenSession> {
  const item = {
    [conflict]: conflictOf(target),
    ...('name' in target && { name: target.name }),
    ...(modified !== undefined && times(modified)),
  };
  const url = `${addressOfTarget(target)}/createUploadSession`;
  const { uploadUrl, expirationDateTime } = await graph.json(UploadSession, { method: 'POST', url, json: { item }, signal });
  return { url: graph.elsewhere(uploadUrl), ...(expirationDateTime && { expires: expirationDateTime }) };
}

/** Stores a file in one request, and its modification time in another. */
export async function putContent(
  graph: Graph,
  target: Target,
  body: Uint8Array | Readable,
  ask: Pick<WriteOptions, 'modified' | 'signal'>,
): Promise<DriveItem> {
  const { modified, signal } = ask;
  const stored = await graph.json(DriveItem, {
    method: 'PUT',
    url: `${addressOfTarget(target)}/content`,
    query: { [conflict]: conflictOf(target) },
    // The service derives a file's type from its name.
    headers: { 'content-type': 'application/octet-stream' },
    body,
    signal,
  });
  if (modified === undefined) return stored;
  try {
    const url = addressOf({ drive: driveOfTarget(target), id: stored.id });
    return await graph.json(DriveItem, { method: 'PATCH', url, json: times(modified), signal });
  } catch (error) {
    // The file is complete: a wrong time does not fail the upload.
    if (error instanceof ConnectorError) return stored;
    throw error;
  }
}
