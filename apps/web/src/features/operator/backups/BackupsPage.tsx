import { Button } from '@mantine/core';
import type { Backup, BackupFailure, ReplyOf, listBackups } from '@sheaf/contract';
import { IconAlertTriangle, IconDatabaseExport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { backupList, useMakeBackup } from './queries.ts';
import shared from '../sections.module.css';
import classes from './backups.module.css';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const reasons: Readonly<Record<Backup['reason'], string>> = {
  daily: 'Each night',
  manual: 'Made by an operator',
  upgrade: 'Before an upgrade',
};

/** For the operator: the backups of this installation, what went wrong, and a button that makes one. */
export function BackupsPage() {
  const { data, error, refetch } = useQuery(backupList());
  const make = useMakeBackup();
  return (
    <Page>
      <PageHead title="Backups" line={data && words(data)}>
        <Button variant="filled" loading={make.isPending} onClick={() => make.mutate()}>
          Back up now
        </Button>
      </PageHead>
      <div role="status">
        {make.error && <p className={classes.bad}>{errorText(make.error)}</p>}
        {make.isSuccess && <p className={classes.note}>{make.data.backup.name} was made.</p>}
      </div>
      {error && <ErrorState title="The backups could not be listed" message={errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={4} height={60} />}
      {data?.failures.map((failure) => (
        <Failure key={failure.step} failure={failure} />
      ))}
      {data && (
        <p className={classes.note}>
          {data.hasKey
            ? 'A passphrase seals them, and they hold the key of this installation.'
            : 'The key of this installation seals them and is not in them: keep a copy of it apart (secret.key, or SHEAF_SECRET_KEY).'}{' '}
          {data.folderUri === undefined && 'They are only in the data folder: set SHEAF_BACKUP_FOLDER to keep them elsewhere too.'}
        </p>
      )}
      {data?.backups.length === 0 && (
        <EmptyState icon={<IconDatabaseExport size={24} stroke={1.5} />} title="No backup yet">
          {data.isDaily ? 'The first one is made tonight.' : 'SHEAF_BACKUP leaves out the nightly ones.'}
        </EmptyState>
      )}
      {data && data.backups.length > 0 && (
        <ul className={shared.list}>
          {data.backups.map(({ name, bytes, madeAt, reason }) => (
            <li key={name} className={classes.row}>
              <Tile>
                <IconDatabaseExport size={18} stroke={1.75} />
              </Tile>
              <span className={classes.what}>
                <b>
                  <time dateTime={new Date(madeAt * 1000).toISOString()}>{time.format(madeAt * 1000)}</time>
                </b>
                <small>{name}</small>
              </span>
              <span className={classes.facts}>
                {reasons[reason]}, {formatSize(bytes)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function Failure({ failure: { step, reason, failedAt } }: { failure: BackupFailure }) {
  return (
    <p className={classes.bad}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
      <span>
        {step === 'make' ? 'A backup could not be made' : 'A backup could not be uploaded'} ({time.format(failedAt * 1000)}): {reason}
      </span>
    </p>
  );
}

function words({ isDaily, folderUri }: ReplyOf<typeof listBackups>): string {
  if (!isDaily) return 'None is made by itself (SHEAF_BACKUP).';
  return folderUri === undefined
    ? 'One is made each night, and fourteen are kept.'
    : 'One is made each night and uploaded, and fourteen are kept.';
}
