import { redirectPath } from '@sheaf/contract';
import type { Content } from '#/files/content/service.ts';
import type { Platform } from '#/platform/compose.ts';
import { probeKeyOf } from '#/serving/health/probe-routes.ts';
import { composeAgents } from './agents/compose.ts';
import { createBackupService } from './backups/service.ts';
import { createBackupStore } from './backups/store.ts';
import { createHandoffs } from './handoff/service.ts';
import { createHandoffStore } from './handoff/store.ts';
import { createHealthService } from './health/service.ts';
import { createHealthStore } from './health/store.ts';
import { createOperatedJobs } from './jobs/service.ts';
import { createOperatedJobsStore } from './jobs/store.ts';
import { createOperatedLimits } from './limits/service.ts';
import { createOperator } from './operator/service.ts';
import { createPeople } from './people/service.ts';
import { createPeopleStore } from './people/store.ts';
import { composePrograms } from './protocols/compose.ts';
import { composeDirectories } from './scim/compose.ts';
import { createOperatedSettings } from './settings/service.ts';

/** Most failing jobs that are counted. */
const mostJobs = 1000;

type AgentDeps = Parameters<typeof composeAgents>[1];
type ProgramDeps = Parameters<typeof composePrograms>[1];
type DirectoryDeps = Parameters<typeof composeDirectories>[1];
type BackupDeps = Parameters<typeof createBackupService>[0];
type HealthDeps = Parameters<typeof createHealthService>[0];
type JobsDeps = Parameters<typeof createOperatedJobs>[0];
type OperatorDeps = Parameters<typeof createOperator>[0];

interface Deps
  extends ProgramDeps, DirectoryDeps, Omit<AgentDeps, 'windows'>, Pick<OperatorDeps, 'operators' | 'appOf' | 'findDefinition' | 'dialer'> {
  readonly jobs: BackupDeps['jobs'];
  readonly backups: BackupDeps['backups'];
  readonly content: Content;
  readonly accounts: HealthDeps['accounts'];
  readonly hasPremium: (accountId: string) => Promise<boolean>;
  readonly masterKey: Buffer;
}

/** Builds hand-offs to other programs, and the operator's pages. */
export function composeServing(
  platform: Platform,
  { access, accounts, backups, content, hasPremium, operators, appOf, findDefinition, dialer, jobs, masterKey, ...programs }: Deps,
) {
  const { db, database, now, publicUrl, config, enqueue, localKind } = platform;
  const probeKey = probeKeyOf(masterKey);
  /** Signs what the client's installer fetches. */
  const clientKey = () => programs.vault.signingKey('client bundles');
  const backupStore = createBackupStore(db);
  const backupService = createBackupService({
    backups,
    operators,
    links: access,
    content,
    jobs,
    enqueue,
    localKind,
    store: backupStore,
    config,
    now,
  });
  const protocols = composePrograms(platform, { ...programs, access });
  const agentServing = composeAgents(platform, { ...programs, content, dialer, windows: protocols.windows });
  return {
    backups: backupService,
    ...protocols,
    agentServing,
    directories: composeDirectories(platform, programs),
    /** Deletes what programs left behind, such as expired locks and abandoned uploads. */
    async sweepPrograms(): Promise<void> {
      await protocols.sweepPrograms();
      await agentServing.plans.sweep();
    },
    handoffs: createHandoffs({ store: createHandoffStore(db), hasPremium, isLinkOf: access.has, publicUrl, now }),
    health: createHealthService({
      operators,
      accounts,
      countFailingJobs: async () => (await jobs.failing(mostJobs)).length,
      lastBackupAt: async () => (await backups.list())[0]?.madeAt,
      database: { kind: database.engine, bytes: platform.databaseBytes },
      ping: platform.ping,
      deliver: platform.deliver,
      checkMail: platform.checkMail,
      record: createHealthStore(db).record,
      key: probeKey,
      providerLoad: platform.providerLoad.lastHour,
      onTrouble: platform.warn('a check of the installation could not be made'),
      config,
      now,
    }),
    probeKey,
    clientKey,
    operatedSettings: createOperatedSettings({ operators, config }),
    operator: createOperator({
      operators,
      appOf,
      findDefinition,
      dialer,
      redirectUri: publicUrl + redirectPath,
    }),
  };
}

type PeopleDeps = Omit<Parameters<typeof createPeople>[0], 'store' | 'mailer' | 'background' | 'publicUrl' | 'now'>;
interface OperatedDeps extends PeopleDeps {
  readonly jobs: JobsDeps['jobs'];
  readonly limitStore: Parameters<typeof createOperatedLimits>[0]['store'];
}

/** Builds the operator's pages of people, jobs and limits, which change what other areas keep. */
export const composeOperated = ({ db, mailer, background, publicUrl, now }: Platform, { jobs, limitStore, ...deps }: OperatedDeps) => ({
  people: createPeople({ ...deps, store: createPeopleStore(db), mailer, background, publicUrl, now }),
  operatedLimits: createOperatedLimits({ operators: deps.operators, store: limitStore, mailer, background, now }),
  operatedJobs: createOperatedJobs({ operators: deps.operators, jobs, store: createOperatedJobsStore(db), now }),
});
