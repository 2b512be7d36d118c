import type { CallOptions } from '../../../core/connector.ts';
import type { Env } from '../../../core/definition.ts';
import { isKind } from '../../../core/error.ts';
import { inParallel } from '../../../kit/concurrency/parallel.ts';
import { type Api, createApi } from '../../../kit/rest/api.ts';
import { type ContentHash, DriveFile, type DriveItem, fileFields, hashOf, toItem } from './api.ts';
import { driveRefusal } from './errors.ts';
import { shortcutType } from './exports.ts';

const defaultHome = 'https://www.googleapis.com';
/** Connections of one link; far below Drive's rate limit per account. */
export const maxConnections = 8;
/** Concurrent requests for shortcut targets. */
const shortcutWidth = 6;

/** Requests for single files. Paths are below `/drive/v3`. */
export interface DriveClient {
  readonly api: Api;
  /** URL for uploads, without a trailing slash. */
  readonly uploads: string;
  /** Returns the file, also when trashed; undefined when it does not exist or is not accessible. */
  file(id: string, ask: CallOptions): Promise<DriveFile | undefined>;
  /** Returns the item with that id; undefined as for `file`. */
  item(id: string, ask: CallOptions): Promise<DriveItem | undefined>;
  /** Converts files to items, with their shortcut targets. */
  items(files: readonly DriveFile[], ask: CallOptions): Promise<DriveItem[]>;
  /** The hash algorithm that Drive provides, as far as known: MD5 until a file has shown SHA-1. */
  readonly algorithm: ContentHash['algorithm'];
  /** Learns from a file that was requested alone, or stored, which hashes Drive provides. */
  learn(file: DriveFile): void;
  /** Whether the token may be sent to that URL: the API itself and Google's content hosts. */
  isTrusted(address: URL): boolean;
}

export function createDriveApi(env: Env): DriveClient {
  const home = env.app?.apiUrl ?? defaultHome;
  const api = createApi({ env, base: home, maxConnections, refusal: driveRefusal });

  let algorithm: ContentHash['algorithm'] = 'md5';
  const learn = (one: DriveFile): void => void (algorithm = hashOf(one)?.algorithm ?? algorithm);

  async function file(id: string, { signal }: CallOptions): Promise<DriveFile | undefined> {
    try {
      const url = `/drive/v3/files/${encodeURIComponent(id)}`;
      const found = await api.json(DriveFile, { method: 'GET', url, query: { fields: fileFields, supportsAllDrives: true }, signal });
      learn(found);
      return found;
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  }

  async function items(files: readonly DriveFile[], ask: CallOptions): Promise<DriveItem[]> {
    const asOf = Date.now();
    const targets = new Map<string, DriveFile>();
    const shortcuts = files.filter(({ mimeType }) => mimeType === shortcutType);
    const wanted = new Set(shortcuts.flatMap(({ shortcutDetails }) => shortcutDetails?.targetId ?? []));
    await inParallel(wanted, shortcutWidth, async (id) => {
      const target = await file(id, ask);
      if (target && !target.trashed) targets.set(id, target);
    });
    return files.map((one) => toItem(one, asOf, targets.get(one.shortcutDetails?.targetId ?? '')));
  }

  return {
    api,
    uploads: `${env.app?.uploadUrl ?? home}/upload/drive/v3/files`,
    file,
    items,
    learn,
    get algorithm() {
      return algorithm;
    },
    async item(id, ask) {
      const found = await file(id, ask);
      return found && (await items([found], ask))[0];
    },
    isTrusted: ({ origin, protocol, hostname }) =>
      origin === new URL(home).origin || (protocol === 'https:' && /(^|\.)(google|googleapis|googleusercontent)\.com$/.test(hostname)),
  };
}
