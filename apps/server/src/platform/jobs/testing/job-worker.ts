/**
 * A process that runs jobs of many steps until it is killed. Arguments: database URL, data folder, lease in ms, file to which each step is appended.
 */
import { appendFileSync } from 'node:fs';
import { openDatabase } from '#/platform/db/database.ts';
import { newId } from '#/platform/ids.ts';
import { createJobs } from '#/platform/jobs/jobs.ts';
import { createLog } from '#/platform/log.ts';
import { stepsJob } from './job-steps.ts';

const [databaseUrl = '', dataDir = '', lease = '', file = ''] = process.argv.slice(2);
const { db, engine } = await openDatabase({ databaseUrl, dataDir, onLostConnection: () => undefined });
const handler = stepsJob((step, id) => appendFileSync(file, `${id} ${step}\n`));
const jobs = createJobs({ db, engine, handlers: [handler], newId, log: createLog('silent'), lease: Number(lease) });
await jobs.start({ isAlone: false });
// The runner itself does not keep a process alive.
setInterval(() => undefined, 60_000);
