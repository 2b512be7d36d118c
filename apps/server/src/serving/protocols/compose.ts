import type { Access } from '#/access/access.ts';
import type { Content } from '#/files/content/service.ts';
import type { Links } from '#/files/items/open-item.ts';
import type { Platform } from '#/platform/compose.ts';
import { createDav } from '../dav/service.ts';
import { createLockStore } from '../dav/state/lock-store.ts';
import { createPropertyStore } from '../dav/state/property-store.ts';
import { createWindows } from '../programs/windows.ts';
import { createNative } from '../s3/multipart/native.ts';
import { createMultipart } from '../s3/multipart/service.ts';
import { createUploadStore } from '../s3/multipart/store.ts';
import { createFolders } from '../s3/objects/folders.ts';
import { createObjectMemory } from '../s3/objects/memory.ts';
import { createObjectStore } from '../s3/objects/store.ts';
import { createS3 } from '../s3/service.ts';
import { createSftpServer } from '../sftp/server.ts';

type DavDeps = Parameters<typeof createDav>[0];
type SftpDeps = Parameters<typeof createSftpServer>[0];

interface Deps {
  readonly access: Access;
  readonly listings: DavDeps['listings'];
  readonly leftovers: Pick<DavDeps, 'transfers'>;
  readonly contentFor: (links: Links) => Content;
  readonly appPasswords: SftpDeps['appPasswords'];
  readonly vault: Parameters<typeof createNative>[0];
}

/** Builds the protocols that programs speak with an app password. */
export function composePrograms(
  { db, database, now, newId, background, publicUrl, config, log }: Platform,
  { access, listings, leftovers: { transfers }, contentFor, appPasswords, vault }: Deps,
) {
  const stores = { lockStore: createLockStore(db), properties: createPropertyStore(db) };
  const dav = createDav({ listings, transfers, ...stores, publicUrl, now });
  const memory = createObjectMemory(createObjectStore(db, database.engine));
  const folders = createFolders(Date.now, listings);
  const later = background.start;
  const parts = { store: createUploadStore(db), native: createNative(vault) };
  const multipart = createMultipart({ ...parts, memory, folders, openLink: access.open, newId, now, later });
  const s3 = createS3({ listings, memory, folders, multipart });
  const windows = createWindows({ access, contentFor });
  return {
    windows,
    sftp: createSftpServer({ dav, listings, memory, windows, appPasswords, dataDir: config.dataDir, log }),
    dav,
    s3,
    /** Deletes what programs left behind, such as expired locks and abandoned uploads. */
    async sweepPrograms(): Promise<void> {
      await dav.sweep();
      await s3.sweep();
    },
  };
}
