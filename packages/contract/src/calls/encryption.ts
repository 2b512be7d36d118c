import { type Static, Type } from 'typebox';
import { call, jsonText } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Address of the folder of encrypted folders; hidden while the encryption root view is off. */
export const encryptionRootUri = '/SHEAF_ENCRYPTION';

/** A passkey that unlocks a vault. */
export const VaultPasskey = Type.Object({
  passkeyId: text,
  name: text,
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** Written and read by browsers: the input of the passkey's `prf` extension, and the vault's passwords, sealed with its output. */
  sealed: text,
});
export type VaultPasskey = Static<typeof VaultPasskey>;

export const EncryptedFolder = Type.Object({
  folderOid: text,
  name: text,
  /** Location of the encrypted files. */
  linkUri: text,
  destinationPath: text,
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** The vault's passwords, sealed in the browser that created it; the server cannot open them. Absent if not stored. */
  wrapped: optional(text),
  /** Only for the account's own vaults. */
  passkeys: Type.Array(VaultPasskey),
  /** Whether members of the Spaces that contain the vault may unlock it. */
  forMembers: Type.Boolean(),
  /** Set for another account's vault in a Space of the caller; `linkUri` is within that Space. */
  member: optional(
    Type.Object({
      ownerName: text,
      spaceName: text,
      /** Whether the caller's role allows reading only. */
      isReadOnly: Type.Boolean(),
    }),
  ),
});
export type EncryptedFolder = Static<typeof EncryptedFolder>;

export const listEncryption = call({
  method: 'GET',
  path: '/rest/encryption/list',
  input: Type.Object({}),
  reply: Type.Object({
    folders: Type.Array(EncryptedFolder),
    /** Whether the account's subscription includes encryption. */
    isIncluded: Type.Boolean(),
    /** Whether the encryption root is shown among the links. */
    rootView: Type.Boolean(),
  }),
  summary: 'The encrypted folders of the account, and those in its Spaces that their owners opened to members.',
});
export const setEncryptionRootView = call({
  method: 'POST',
  path: '/rest/encryption/set_root_view',
  input: Type.Object({ rootView: Type.Boolean(), rTag }),
  reply: Type.Object({ rootView: Type.Boolean() }),
  rTag: 'required',
  summary: 'Shows or hides the encryption root among the links.',
});

/** Maximum length of the text that a browser seals for a vault, in characters. */
export const mostWrapped = 8192;
const wrapped = Type.String({ minLength: 1, maxLength: mostWrapped });

/** Options of a vault, with rclone crypt's names. Informative: browsers use their own sealed copy. */
export const VaultOptions = Type.Object({
  filename_encryption: Type.Union([Type.Literal('standard'), Type.Literal('off'), Type.Literal('obfuscate')]),
  directory_name_encryption: Type.Boolean(),
  filename_encoding: Type.Union([Type.Literal('base32'), Type.Literal('base64'), Type.Literal('base32768')]),
  suffix: Type.String({ maxLength: 255 }),
});
export type VaultOptions = Static<typeof VaultOptions>;

export const createVault = call({
  method: 'POST',
  path: '/rest/encryption/create',
  input: Type.Object({
    /** Parent folder of a new vault. */
    parentLinkUri: optional(text),
    /** Or an existing encrypted folder, which is added unchanged. */
    linkUri: optional(text),
    name: text,
    /** JSON of {@link VaultOptions}. */
    options: jsonText,
    wrapped,
    rTag,
  }),
  reply: Type.Object({ vaultId: text, linkUri: text }),
  rTag: 'required',
  summary: 'Makes a folder a vault: a new one in parentLinkUri, or the existing one at linkUri. Needs Premium.',
});
export const renameVault = call({
  method: 'POST',
  path: '/rest/encryption/rename',
  input: Type.Object({ vaultId: text, name: text, rTag }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Renames a vault in the list; its folder keeps its name.',
});
export const rewrapVault = call({
  method: 'POST',
  path: '/rest/encryption/rewrap',
  input: Type.Object({ vaultId: text, wrapped, rTag }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: "Replaces a vault's sealed passwords, after a change of the passphrase.",
});
export const setVaultForMembers = call({
  method: 'POST',
  path: '/rest/encryption/set_for_members',
  input: Type.Object({ vaultId: text, forMembers: Type.Boolean(), rTag }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Gives members of Spaces in which the vault lies its sealed passwords, which the passphrase opens, or takes them away.',
});
/** Maximum number of passkeys of a vault. */
export const mostVaultPasskeys = 20;
export const addVaultPasskey = call({
  method: 'POST',
  path: '/rest/encryption/add_passkey',
  input: Type.Object({
    vaultId: text,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    sealed: Type.String({ minLength: 1, maxLength: mostWrapped }),
    rTag,
  }),
  reply: Type.Object({ passkeyId: text }),
  rTag: 'required',
  summary: 'Adds a passkey that unlocks a vault.',
});
export const removeVaultPasskey = call({
  method: 'POST',
  path: '/rest/encryption/remove_passkey',
  input: Type.Object({ vaultId: text, passkeyId: text, rTag }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Forgets a passkey of a vault.',
});
export const removeVault = call({
  method: 'POST',
  path: '/rest/encryption/remove',
  input: Type.Object({ vaultId: text, rTag }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Forgets a vault and its sealed passwords; its files stay as they are.',
});
