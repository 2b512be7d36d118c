import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

export const appPasswordRights = ['read', 'write'] as const;
/** Rights of an app password; `write` includes reading. */
export type AppPasswordRights = (typeof appPasswordRights)[number];
const rights = Type.Unsafe<AppPasswordRights>({ type: 'string', enum: [...appPasswordRights] });

/** Maximum number of folders of an app password. */
export const mostAppPasswordFolders = 50;

/** Maximum length of a public key as typed, in characters. */
export const longestSshKey = 20_000;

/** Whether a text contains a private SSH key, in any format that programs write, or the body of an OpenSSH key without its header and footer. */
export const isPrivateSshKey = (text: string): boolean =>
  /PRIVATE KEY ?--|PuTTY-User-Key-File|Private-Lines:|b3BlbnNzaC1rZXktdjE/.test(text);

/** A password, or an SSH public key, for one program or device. Only the answer to its creation contains secrets. */
export const AppPassword = Type.Object({
  appPasswordId: text,
  name: text,
  /** For WebDAV and SFTP. */
  username: text,
  /** For S3; absent for a public key, which works with SFTP only. */
  accessKeyId: optional(text),
  /** Present if a public key signs in instead of a password. */
  sshKey: optional(Type.Object({ kind: text, fingerprint: text })),
  /** The folders it is limited to; none: everything. */
  linkUris: Type.Array(text),
  rights,
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** Epoch seconds; absent when it does not expire. */
  expires: optional(Type.Integer()),
  /** Epoch seconds of the last use, a few minutes coarse; absent before. */
  lastUsedAt: optional(Type.Integer()),
  /** Program and protocol of that use, as the program identifies itself. */
  lastUsedBy: optional(text),
});
export type AppPassword = Static<typeof AppPassword>;

/** Address for SFTP clients. */
const SftpAddress = Type.Object({ host: text, port: Type.Integer() });

export const listAppPasswords = call({
  method: 'GET',
  path: '/rest/app_passwords',
  input: Type.Object({}),
  reply: Type.Object({
    appPasswords: Type.Array(AppPassword),
    /** Absent if SFTP is not offered. */
    sftp: optional(SftpAddress),
  }),
  summary: "The account's app passwords and SSH keys, the newest first.",
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
export const addSshKey = call({
  method: 'POST',
  path: '/rest/app_passwords/add_key',
  rTag: 'required',
  input: Type.Object({
    name: text,
    /** The key as in a .pub file. */
    publicKey: Type.String({ maxLength: longestSshKey }),
    linkUri: Type.Array(text, { default: [], maxItems: mostAppPasswordFolders }),
    rights,
    expires: optional(Type.Integer({ minimum: 0 })),
    rTag,
  }),
  reply: Type.Object({ appPassword: AppPassword }),
  summary: 'Adds a public key of SSH, which signs in to SFTP with the user name of the answer. Needs a fresh proof.',
});
export const deleteAppPassword = call({
  method: 'POST',
  path: '/rest/app_passwords/delete',
  rTag: 'required',
  input: Type.Object({ appPasswordId: text, rTag }),
  reply: Type.Object({}),
  summary: 'Revokes an app password or SSH key at once, and ends what is under way with it.',
});

/** Addresses of a link or Space for programs. */
export const ProgramAddresses = Type.Object({
  linkName: text,
  linkUri: text,
  /** The address for WebDAV, with a final slash. */
  dav: text,
  /** For S3: the address of the server, and the link's bucket there. */
  s3: Type.Object({ endpoint: text, bucket: text }),
  /** For SFTP, if the server offers it. */
  sftp: optional(Type.Object({ ...SftpAddress.properties, folder: text })),
});
export type ProgramAddresses = Static<typeof ProgramAddresses>;
export const programAddresses = call({
  method: 'GET',
  path: '/rest/app_passwords/addresses',
  input: Type.Object({ userLinkId: text }),
  reply: ProgramAddresses,
  summary: 'The addresses at which programs find a link or Space.',
});
