import { type ReplyOf, type listEncryption, linkUriOf } from '@sheaf/contract';
import type { EncryptionStore } from './store.ts';

interface Deps {
  readonly store: EncryptionStore;
  /** Whether the account has Premium, which includes encryption. */
  readonly hasPremium: (accountId: string) => Promise<boolean>;
}

export type Encryption = ReturnType<typeof createEncryption>;

/** Encrypted folders of an account, and whether their root is shown among its links. */
export function createEncryption({ store, hasPremium }: Deps) {
  return {
    async list(userId: string): Promise<ReplyOf<typeof listEncryption>> {
      const [folders, isIncluded, rootView] = await Promise.all([store.folders(userId), hasPremium(userId), store.rootView(userId)]);
      return {
        folders: folders.map(({ id, name, linkId, linkName, path, createdAt }) => ({
          folderOid: id,
          name,
          linkUri: linkUriOf(linkId, path),
          destinationPath: path === '/' ? linkName : linkName + path,
          createdAt,
        })),
        isIncluded,
        rootView,
      };
    },

    /** Shows or hides the root; the folders stay unchanged. */
    async setRootView(userId: string, rootView: boolean): Promise<{ rootView: boolean }> {
      await store.setRootView(userId, rootView);
      return { rootView };
    },
  };
}
