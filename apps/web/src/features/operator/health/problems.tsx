import type { HealthProblem } from '@sheaf/contract';
import type { ReactNode } from 'react';
import { PathLink } from '#/ui/PathLink.tsx';

/** What is wrong, and what to do. */
export const problemTexts: Readonly<Record<HealthProblem, ReactNode>> = {
  diskLow: 'The disk with the data folder is almost full. Free some space, or move the folder: without space nothing can be stored.',
  databaseSlow: 'The database answers slowly. Look at the load of its machine, and at the disk or network between the two.',
  mailOnDisk: 'Mails are only written to the data folder: set SHEAF_SMTP_URL, or nobody can confirm an address or reset a password.',
  plainHttp:
    'The public address is plain http, so that passwords can be read on the way. Put a proxy with https in front, and set SHEAF_PUBLIC_URL.',
  jobsFail: (
    <>
      Background jobs fail. <PathLink href="/operator/jobs">See which, and why</PathLink>.
    </>
  ),
  noBackup: (
    <>
      No backup has been made for two days. <PathLink href="/operator/backups">See the backups</PathLink>.
    </>
  ),
  backupOld: (
    <>
      The newest backup is older than two days. <PathLink href="/operator/backups">See the backups</PathLink>.
    </>
  ),
};
