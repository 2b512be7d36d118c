import {
  type InputOf,
  type Item,
  type ReplyOf,
  VaultOptions,
  type addVaultPasskey,
  appError,
  type createVault,
  isBlank,
  isFileName,
  type listEncryption,
  linkUriOf,
  mostVaultPasskeys,
  type removeVaultPasskey,
  type setVaultForMembers,
} from '@sheaf/contract';
import { Check, Clean } from 'typebox/value';
import { type Links, openItem } from '#/files/items/open-item.ts';
import { type ReachableLink, createSpaceVaults } from './space-vaults.ts';
import type { EncryptionStore } from './store.ts';

interface Deps {
  readonly store: EncryptionStore;
  readonly links: Links;
  /** The links that a user may read now. */
  readonly reachable: (userId: string) => Promise<readonly ReachableLink[]>;
  /** Whether the account has Premium, which includes encryption. */
  readonly hasPremium: (accountId: string) => Promise<boolean>;
  /** Creates a folder; refuses a taken name. */
  readonly addFolder: (
    userId: string,
    input: { parentLinkUri: string; folderName: string; conflict: 'fail' },
    signal: AbortSignal,
  ) => Promise<Item>;
  readonly newId: () => string;
  /** Epoch seconds. */
  readonly now: () => number;
}

export type Encryption = ReturnType<typeof createEncryption>;

/**
 * Vaults of an account and of its Spaces, and whether their root is shown among its links. Premium is needed to make one and for nothing else: whoever
 * has a vault keeps it. Passwords come sealed by a browser and are returned as they came.
 */
export function createEncryption({ store, links, reachable, hasPremium, addFolder, newId, now }: Deps) {
  const spaceVaults = createSpaceVaults({ store, links, reachable });
  const known = (isKnown: boolean): Record<string, never> => {
    if (!isKnown) throw appError('VAULT_NOT_FOUND', {});
    return {};
  };
  const checkName = (name: string): void => {
    if (name === '') throw appError('MISSING_PARAMETER', {});
    if (!isFileName(name)) throw appError('INVALID_PARAMETER', { field: 'name' });
  };

  return {
    async list(userId: string): Promise<ReplyOf<typeof listEncryption>> {
      const [folders, ofSpaces, passkeys, isIncluded, rootView] = await Promise.all([
        store.folders(userId),
        spaceVaults(userId),
        store.passkeys(userId),
        hasPremium(userId),
        store.rootView(userId),
      ]);
      const own = folders.map(({ id, name, linkId, linkName, path, createdAt, wrapped, forMembers }) => ({
        folderOid: id,
        name,
        linkUri: linkUriOf(linkId, path),
        destinationPath: path === '/' ? linkName : linkName + path,
        createdAt,
        ...(wrapped !== null && { wrapped }),
        passkeys: passkeys.flatMap(({ vaultId, id: passkeyId, ...passkey }) =>
          vaultId === id ? [{ passkeyId, name: passkey.name, createdAt: passkey.createdAt, sealed: passkey.sealed }] : [],
        ),
        forMembers: forMembers === 1,
      }));
      return { folders: [...own, ...ofSpaces], isIncluded, rootView };
    },

    /** Makes a vault of a new or an existing folder on a link of the user's own. */
    async create(userId: string, input: InputOf<typeof createVault>, signal: AbortSignal): Promise<ReplyOf<typeof createVault>> {
      const { parentLinkUri, linkUri, name, wrapped } = input;
      checkName(name);
      const place = linkUri ?? parentLinkUri;
      if (place === undefined || (linkUri !== undefined && parentLinkUri !== undefined)) throw appError('MISSING_PARAMETER', {});
      const options = optionsOf(input.options);
      if (!(await hasPremium(userId))) throw appError('VAULT_NEEDS_PREMIUM', {});
      const opened = await openItem(links, userId, place);
      if (opened.stored || !(await store.ownsLink(userId, opened.userLinkId))) throw appError('VAULT_NOT_YOURS', {});
      if (linkUri !== undefined) await checkFolder(opened.connector, opened.path, signal);
      const folder =
        linkUri === undefined ? await addFolder(userId, { parentLinkUri: place, folderName: name, conflict: 'fail' }, signal) : undefined;
      const item = folder ? await openItem(links, userId, folder.linkUri) : opened;
      const vaultId = newId();
      const row = { id: vaultId, accountId: userId, name, linkId: item.userLinkId, path: item.path, createdAt: now(), wrapped, options };
      if (!(await store.add(row))) throw appError('VAULT_EXISTS', {});
      return { vaultId, linkUri: linkUriOf(item.userLinkId, item.path) };
    },

    /** Renames the vault in the list only. */
    async rename(userId: string, { vaultId, name }: { vaultId: string; name: string }): Promise<Record<string, never>> {
      checkName(name);
      return known(await store.change(userId, vaultId, { name }));
    },

    rewrap: async (userId: string, { vaultId, wrapped }: { vaultId: string; wrapped: string }): Promise<Record<string, never>> =>
      known(await store.change(userId, vaultId, { wrapped })),

    /** Opens a vault to members of the Spaces in which it lies: they get its sealed passwords, and still need the passphrase. */
    setForMembers: async (userId: string, { vaultId, forMembers }: InputOf<typeof setVaultForMembers>): Promise<Record<string, never>> =>
      known(await store.change(userId, vaultId, { forMembers: forMembers ? 1 : 0 })),

    async addPasskey(userId: string, { vaultId, name, sealed }: InputOf<typeof addVaultPasskey>): Promise<{ passkeyId: string }> {
      if (isBlank(name)) throw appError('MISSING_PARAMETER', {});
      known(await store.hasVault(userId, vaultId));
      const passkeyId = newId();
      const isAdded = await store.addPasskey({ id: passkeyId, vaultId, name, sealed, createdAt: now() }, mostVaultPasskeys);
      if (!isAdded) throw appError('VAULT_PASSKEYS_FULL', { most: String(mostVaultPasskeys) });
      return { passkeyId };
    },

    async removePasskey(userId: string, { vaultId, passkeyId }: InputOf<typeof removeVaultPasskey>): Promise<Record<string, never>> {
      known(await store.hasVault(userId, vaultId));
      if (!(await store.removePasskey(vaultId, passkeyId))) throw appError('VAULT_PASSKEY_GONE', {});
      return {};
    },

    /** Forgets the vault; its files are not touched. */
    remove: async (userId: string, vaultId: string): Promise<Record<string, never>> => known(await store.remove(userId, vaultId)),

    /** Shows or hides the root; the folders stay unchanged. */
    async setRootView(userId: string, rootView: boolean): Promise<{ rootView: boolean }> {
      await store.setRootView(userId, rootView);
      return { rootView };
    },
  };
}

/** The options as they are stored: only what the contract names. */
function optionsOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (Check(VaultOptions, value)) return JSON.stringify(Clean(VaultOptions, value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw appError('INVALID_PARAMETER', { field: 'options' });
}

async function checkFolder(connector: Awaited<ReturnType<typeof openItem>>['connector'], path: string, signal: AbortSignal): Promise<void> {
  if (path === '/') return;
  const { kind } = await connector.stat(path, { signal });
  if (kind !== 'folder') throw appError('INVALID_PARAMETER', { field: 'linkUri' });
}
