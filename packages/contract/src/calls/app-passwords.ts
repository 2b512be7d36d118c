import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

export const appPasswordRights = ['read', 'write'] as const;
/** What a program may do with an app password; `write` includes reading. */
export type AppPasswordRights = (typeof appPasswordRights)[number];
const rights = Type.Unsafe<AppPasswordRights>({ type: 'string', enum: [...appPasswordRights] });

/** Most folders that one app password names. */
export const mostAppPasswordFolders = 50;

/** A password for one program or device. Its secrets are in the answer of its creation only. */
export const AppPassword = Type.Object({
  appPasswordId: text,
  name: text,
  /** For WebDAV and SFTP. */
  username: text,
  /** For S3. */
  accessKeyId: text,
  /** The folders it is limited to; none: everything. */
  linkUris: Type.Array(text),
  rights,
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** Epoch seconds; absent when it does not expire. */
  expires: optional(Type.Integer()),
  /** Epoch seconds of the last use, a few minutes coarse; absent before. */
  lastUsedAt: optional(Type.Integer()),
  /** The program and protocol of that use, as far as the program tells. */
  lastUsedBy: optional(text),
});
export type AppPassword = Static<typeof AppPassword>;

export const listAppPasswords = call({
  method: 'GET',
  path: '/rest/app_passwords',
  input: Type.Object({}),
  reply: Type.Object({ appPasswords: Type.Array(AppPassword) }),
  summary: "The account's app passwords, the newest first.",
});
export const createAppPassword = call({
  method: 'POST',
  path: '/rest/app_passwords/create',
  rTag: 'required',
  input: Type.Object({
    name: text,
    linkUri: Type.Array(text, { default: [], maxItems: mostAppPasswordFolders }),
    rights,
    expires: optional(Type.Integer({ minimum: 0 })),
    rTag,
  }),
  reply: Type.Object({ appPassword: AppPassword, username: text, password: text, accessKeyId: text, secretAccessKey: text }),
  summary: 'Makes a password for programs that use WebDAV, S3 or SFTP; its secrets are told this once. Needs a fresh proof.',
});
export const deleteAppPassword = call({
  method: 'POST',
  path: '/rest/app_passwords/delete',
  rTag: 'required',
  input: Type.Object({ appPasswordId: text, rTag }),
  reply: Type.Object({}),
  summary: 'Revokes an app password at once, and ends what is under way with it.',
});

/** Where programs find a link or Space. */
export const ProgramAddresses = Type.Object({
  linkName: text,
  linkUri: text,
  /** The address for WebDAV, with a final slash. */
  dav: text,
  /** For S3: the address of the server, and the link's bucket there. */
  s3: Type.Object({ endpoint: text, bucket: text }),
  /** For SFTP, where the server offers it. */
  sftp: optional(Type.Object({ host: text, port: Type.Integer(), folder: text })),
});
export type ProgramAddresses = Static<typeof ProgramAddresses>;
export const programAddresses = call({
  method: 'GET',
  path: '/rest/app_passwords/addresses',
  input: Type.Object({ userLinkId: text }),
  reply: ProgramAddresses,
  summary: 'The addresses at which programs find a link or Space.',
});
