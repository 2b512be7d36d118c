import { createReadStream } from 'node:fs';
import { joinPath } from '@sheaf/connectors';
import {
  type Backup,
  type BackupFailure,
  type BackupReason,
  type ReplyOf,
  linkUriOf,
  type listBackups,
  parseLinkUri,
} from '@sheaf/contract';
import { Type } from 'typebox';
import type { Content } from '#/files/content/service.ts';
import { type Links, openItem } from '#/files/items/open-item.ts';
import type { Operators } from '#/identity/admission/operators.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Config } from '#/platform/config/config.ts';
import { type JobHandler, Nothing, PermanentFailure, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest, Jobs } from '#/platform/jobs/jobs.ts';
import type { BackupStore } from './store.ts';

/** A backup in the data folder. */
interface BackupFile extends Backup {
  readonly path: string;
}

interface Deps {
  /** Makes and lists backups. */
  readonly backups: {
    make(reason: BackupReason): Promise<BackupFile>;
    list(): Promise<readonly BackupFile[]>;
    /** Of these names, those of backups of this installation that need not be kept. */
    surplus(names: readonly string[]): readonly string[];
  };
  readonly operators: Operators;
  readonly links: Links;
  readonly content: Pick<Content, 'upload' | 'remove'>;
  readonly jobs: Pick<Jobs, 'failing'>;
  readonly enqueue: (job: JobRequest) => Promise<unknown>;
  readonly localKind: (kind: string) => string;
  readonly store: BackupStore;
  readonly config: Pick<Config, 'backup' | 'backupFolder' | 'backupPassphrase'>;
  readonly now: Clock;
}

export type BackupService = ReturnType<typeof createBackupService>;

const dailyKind = 'backup.daily';
/** Most failing jobs that are read. */
const mostJobs = 100;
/** Seconds within which a repeated job does not make another backup. */
const soon = 3600;

/** Backups each night, their upload, and the operator's page about them. Rejects with NOT_OPERATOR for everybody else. */
export function createBackupService({ backups, operators, links, content, jobs, enqueue, localKind, store, config, now }: Deps) {
  // Bound to this instance, because the file is in its data folder.
  const uploadKind = localKind('backup.upload');
  const { backupFolder } = config;
  let making: Promise<BackupFile> | undefined;

  /** Makes one at a time. */
  function make(reason: BackupReason): Promise<BackupFile> {
    making ??= backups.make(reason).finally(() => (making = undefined));
    return making;
  }

  async function uploadLater({ name }: BackupFile): Promise<void> {
    if (backupFolder !== '') await enqueue({ kind: uploadKind, payload: { name }, key: name });
  }

  /** Uploads one to the operator's folder, and deletes there what need not be kept. */
  async function upload(name: string, signal: AbortSignal): Promise<void> {
    const file = (await backups.list()).find((one) => one.name === name);
    if (!file) throw new PermanentFailure(`${name} is no longer in the data folder`);
    const address = parseLinkUri(backupFolder);
    const ownerId = address && (await store.ownerOf(address.userLinkId));
    if (!address || ownerId === undefined) throw new PermanentFailure('SHEAF_BACKUP_FOLDER is no folder of a link');
    if (!(await operators.isOperator(ownerId))) throw new PermanentFailure('the link of SHEAF_BACKUP_FOLDER belongs to no operator');
    const body = createReadStream(file.path);
    try {
      await content.upload(ownerId, { parentLinkUri: backupFolder, name, conflict: 'replace', size: file.bytes }, body, signal);
    } finally {
      body.destroy();
    }
    const folder = await openItem(links, ownerId, backupFolder);
    const names: string[] = [];
    for await (const batch of folder.connector.list(folder.path, { signal }))
      names.push(...batch.filter(({ kind }) => kind === 'file').map((entry) => entry.name));
    for (const one of backups.surplus(names))
      await content.remove(ownerId, { linkUri: linkUriOf(folder.userLinkId, joinPath(folder.path, one)) }, signal);
  }

  const daily = defineJob({
    kind: dailyKind,
    payload: Nothing,
    schedule: '30 2 * * *',
    async run() {
      const [latest] = (await backups.list()).filter(({ reason }) => reason === 'daily');
      await uploadLater(latest && now() - latest.madeAt < soon ? latest : await make('daily'));
    },
  });
  const handlers: JobHandler[] = [
    defineJob({
      kind: uploadKind,
      payload: Type.Object({ name: Type.String() }),
      run: ({ payload, signal }) => upload(payload.name, signal),
    }),
    ...(config.backup === 'daily' ? [daily] : []),
  ];

  return {
    backupJobs: handlers,

    async list(userId: string): Promise<ReplyOf<typeof listBackups>> {
      await operators.require(userId);
      const failures = (await jobs.failing(mostJobs)).flatMap(({ kind, reason, failedAt }): BackupFailure[] => {
        const step = kind === dailyKind ? ('make' as const) : kind === uploadKind ? ('upload' as const) : undefined;
        return step ? [{ step, reason: reason ?? '', failedAt: Math.floor((failedAt ?? 0) / 1000) }] : [];
      });
      return {
        backups: (await backups.list()).map(shown),
        // The first of each step is its latest: jobs come in that order.
        failures: failures.filter(({ step }, index) => failures.findIndex((one) => one.step === step) === index),
        isDaily: config.backup === 'daily',
        hasKey: config.backupPassphrase !== '',
        ...(backupFolder !== '' && { folderUri: backupFolder }),
      };
    },

    /** Makes one now. */
    async make(userId: string): Promise<Backup> {
      await operators.require(userId);
      const made = await make('manual');
      await store.record({ actorId: userId, action: 'backup.make', subject: made.name, at: now() });
      await uploadLater(made);
      return shown(made);
    },
  };
}

const shown = ({ name, bytes, madeAt, reason }: BackupFile): Backup => ({ name, bytes, madeAt, reason });
