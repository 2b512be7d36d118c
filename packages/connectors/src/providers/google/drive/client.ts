import type { Ask } from '../../../core/connector.ts';
import type { Env } from '../../../core/definition.ts';
import { isKind } from '../../../core/error.ts';
import { inParallel } from '../../../kit/concurrency/parallel.ts';
import { type Api, createApi } from '../../../kit/rest/api.ts';
import { type ContentHash, DriveFile, type DriveItem, fileFields, hashOf, toItem } from './api.ts';
import { driveRefusal } from './errors.ts';
import { shortcutType } from './exports.ts';

const defaultHome = 'https://www.googleapis.com';
/** Connections of one link. Drive allows an account many more requests than these make. */
export const maxConnections = 8;
/** What shortcuts lead to is asked for so many at once. */
const shortcutWidth = 6;

/** Asks Drive about single files. Paths are below `/drive/v3`. */
export interface DriveClient {
  readonly api: Api;
  /** Where uploads go, without a slash at the end. */
  readonly uploads: string;
  /** The file as Drive has it, trashed ones too; undefined when there is none, or the account may not see it. */
  file(id: string, ask: Ask): Promise<DriveFile | undefined>;
  /** The item of that id; undefined as for `file`. */
  item(id: string, ask: Ask): Promise<DriveItem | undefined>;
  /** Items of files, with what their shortcuts lead to. */
  items(files: readonly DriveFile[], ask: Ask): Promise<DriveItem[]>;
  /** The hash that Drive tells of files, as far as it is known: MD5 until a file has shown more. */
  readonly algorithm: ContentHash['algorithm'];
  /** Looks at a file that was asked for alone, or stored, for the hashes that Drive tells. */
  learn(file: DriveFile): void;
  /** Whether the token may be sent there: to the API itself, and to Google's hosts of contents. */
  isTrusted(address: URL): boolean;
}

export function createDriveApi(env: Env): DriveClient {
  const home = env.app?.apiUrl ?? defaultHome;
  const api = createApi({ env, base: home, maxConnections, refusal: driveRefusal });

  let algorithm: ContentHash['algorithm'] = 'md5';
  const learn = (one: DriveFile): void => void (algorithm = hashOf(one)?.algorithm ?? algorithm);

  async function file(id: string, { signal }: Ask): Promise<DriveFile | undefined> {
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

  async function items(files: readonly DriveFile[], ask: Ask): Promise<DriveItem[]> {
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
