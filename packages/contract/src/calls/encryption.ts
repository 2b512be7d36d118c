import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

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
