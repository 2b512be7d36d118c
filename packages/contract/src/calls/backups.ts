import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();

/** Why a backup was made. */
export const backupReasons = ['daily', 'manual', 'upgrade'] as const;
export type BackupReason = (typeof backupReasons)[number];

/** A backup in the data folder of the instance that answers. */
export const Backup = Type.Object({
  name: text,
  bytes: Type.Integer(),
  /** Epoch seconds. */
  madeAt: Type.Integer(),
  reason: Type.Unsafe<BackupReason>({ type: 'string', enum: [...backupReasons] }),
});
export type Backup = Static<typeof Backup>;

/** Last failure of the backup job. */
export const BackupFailure = Type.Object({
  /** The step that failed: making the backup, or uploading it. */
  step: Type.Union([Type.Literal('make'), Type.Literal('upload')]),
  /** Code of a known error, otherwise its name and message. */
  reason: text,
  /** Epoch seconds. */
  failedAt: Type.Integer(),
});
export type BackupFailure = Static<typeof BackupFailure>;

export const listBackups = call({
  method: 'GET',
  path: '/rest/operator/backups',
  input: Type.Object({}),
  reply: Type.Object({
    /** Latest first. */
    backups: Type.Array(Backup),
    failures: Type.Array(BackupFailure),
    /** Whether a backup is made each night. */
    isDaily: Type.Boolean(),
    /** Whether a passphrase encrypts the backups, so that they can include the installation's key. */
    hasKey: Type.Boolean(),
    /** Folder to which each backup is uploaded. */
    folderUri: Type.Optional(text),
  }),
  summary: 'For the operator: the backups of this installation, and what went wrong with the last.',
});
export const makeBackup = call({
  method: 'POST',
  path: '/rest/operator/make_backup',
  input: Type.Object({ rTag: Type.Optional(text) }),
  reply: Type.Object({ backup: Backup }),
  rTag: 'required',
  summary: 'For the operator: makes a backup now.',
});
