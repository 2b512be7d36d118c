import { changeErrors } from './error-rows/change-errors.ts';
import type { ErrorRow } from './error-rows/error-row.ts';
import { firstErrors } from './error-rows/first-errors.ts';
import { laterErrors } from './error-rows/later-errors.ts';
import { peopleErrors } from './error-rows/people-errors.ts';

export type { ErrorRow } from './error-rows/error-row.ts';

/** The error catalogue. Codes up to 655 are the specification's; those from 700 on are ours. */
export const errorTable = { ...firstErrors, ...laterErrors, ...peopleErrors, ...changeErrors } as const satisfies Record<string, ErrorRow>;

export type MessageCode = keyof typeof errorTable;

/** Labels of call parameters and connection info fields, which replace `{field}` in a sentence. */
export const fieldNames: Readonly<Record<string, string>> = {
  accountId: 'the account ID or key ID',
  allowWrite: 'whether writes are allowed',
  applicationKey: 'the application key',
  authType: 'the authentication type',
  cron: 'the times',
  bucketName: 'the bucket name',
  defaultStorageClass: 'the storage class',
  destinationUrl: 'the destination address',
  directoryStructure: 'the directory structure',
  emails: 'the e-mail addresses',
  expires: 'the end',
  host: 'the host',
  linkUri: 'the folder',
  name: 'the name',
  numConcurrentConnections: 'the number of connections',
  options: 'the options',
  password: 'the password',
  path: 'the path',
  plan: 'the plan',
  protocol: 'the protocol',
  recurlyPlan: 'the plan',
  server: 'the server',
  serviceAccountKey: 'the service account key',
  subscription: 'the subscription',
  timetable: 'the limits',
  timezone: 'the time zone',
  trialDays: 'the days of the trial',
  units: 'the number of members',
  url: 'the server',
  username: 'the user name',
};

/** Codes of the specification that this server never sends. Another server of this API may send them; a client then shows the text of the answer. */
export const foreignCodes: readonly number[] = [110, 114];
