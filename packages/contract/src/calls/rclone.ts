import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import type { ErrorDetails } from '../error-words.ts';
import { SavedLink } from './links.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Maximum length of an rclone.conf in characters, and number of its remotes. */
export const rcloneLimits = { characters: 200_000, remotes: 500 } as const;

/** Version of the JSON of {@link exportLinks}; increases when the meaning of a field changes. */
export const linkFileFormat = { format: 'sheaf-links', version: 1 } as const;

export const exportLinks = call({
  method: 'GET',
  path: '/rest/account/export_links',
  input: Type.Object({}),
  reply: Type.Unknown(),
  summary: 'The settings of all links as a JSON file, without passwords and keys.',
});
export const exportRclone = call({
  method: 'POST',
  path: '/rest/account/export_rclone',
  rTag: 'required',
  input: Type.Object({ password: optional(text), rTag }),
  reply: Type.Unknown(),
  summary:
    "All links as an rclone.conf, passwords and keys included. Takes the account's password, and a fresh second step where there is one; an account without a password gives a fresh proof instead.",
});

/** How a remote is linked: immediately, after naming its bucket, after signing in at the provider, or not at all. */
export const remoteStates = ['ready', 'bucket', 'authorize', 'unsupported'] as const;
export const Remote = Type.Object({
  remote: text,
  type: text,
  state: Type.Unsafe<(typeof remoteStates)[number]>({ type: 'string', enum: [...remoteStates] }),
  /** Provider of the catalogue and its title; absent if Sheaf does not support it. */
  provider: optional(text),
  title: text,
  /** An available name for the link. */
  linkName: text,
  /** Account and server, such as `mara@nas.example`; empty if unknown. */
  account: text,
  /** Why it is not supported, or what will differ. */
  note: optional(text),
  /** Code and details of the note, as for errors. */
  noteCode: optional(text),
  noteDetails: optional(Type.Unsafe<ErrorDetails>({ type: 'object', additionalProperties: { type: 'string' } })),
  /** Another remote of the file refers to this one. */
  isBase: Type.Boolean(),
});
export type Remote = Static<typeof Remote>;
export const readRclone = call({
  method: 'POST',
  path: '/rest/account/read_rclone',
  input: Type.Object({ config: text, rTag }),
  reply: Type.Object({ remotes: Type.Array(Remote) }),
  summary: 'What is in an rclone.conf and what of it can be linked. Nothing is stored.',
});
export const importRemote = call({
  method: 'POST',
  path: '/rest/account/import_rclone',
  rTag: 'required',
  input: Type.Object({
    config: text,
    remote: text,
    linkName: optional(text),
    bucketName: optional(text),
    /** Saves the link even if its server cannot be reached. */
    continueAnyway: optional(Type.Boolean({ default: false })),
    rTag,
  }),
  reply: SavedLink,
  summary: 'Links one remote of an rclone.conf.',
});
