import { type Static, Type } from 'typebox';
import { call, jsonText } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Address of the folder of encrypted folders; hidden while the encryption root view is off. */
export const encryptionRootUri = '/SHEAF_ENCRYPTION';

export const EncryptedFolder = Type.Object({
  folderOid: text,
  name: text,
  /** Location of the encrypted files. */
  linkUri: text,
  destinationPath: text,
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** The vault's passwords, sealed in the browser that made it; the server cannot open them. Absent without any. */
  wrapped: optional(text),
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
  summary: 'The encrypted folders of the account.',
});
export const setEncryptionRootView = call({
  method: 'POST',
  path: '/rest/encryption/set_root_view',
  input: Type.Object({ rootView: Type.Boolean(), rTag }),
  reply: Type.Object({ rootView: Type.Boolean() }),
  rTag: 'required',
  summary: 'Shows or hides the encryption root among the links.',
});

/** Most characters of what a browser seals for a vault. */
export const mostWrapped = 8192;
const wrapped = Type.String({ minLength: 1, maxLength: mostWrapped });

/** Options of a vault, as rclone's crypt calls them. Informative: browsers use the copy that they have sealed. */
export const VaultOptions = Type.Object({
  filename_encryption: Type.Union([Type.Literal('standard'), Type.Literal('off'), Type.Literal('obfuscate')]),
  directory_name_encryption: Type.Boolean(),
  filename_encoding: Type.Union([Type.Literal('base32'), Type.Literal('base64'), Type.Literal('base32768')]),
  suffix: text,
});
export type VaultOptions = Static<typeof VaultOptions>;

export const createVault = call({
  method: 'POST',
  path: '/rest/encryption/create',
  input: Type.Object({
    /** The folder in which a new one is made. */
    parentLinkUri: optional(text),
    /** Or an existing folder that becomes the vault as it is. */
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
export const removeVault = call({
  method: 'POST',
  path: '/rest/encryption/remove',
  input: Type.Object({ vaultId: text, rTag }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Forgets a vault and its sealed passwords; its files stay as they are.',
});
