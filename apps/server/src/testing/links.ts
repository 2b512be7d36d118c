import type { TestContext } from 'node:test';
import { type Connector, ConnectorError, type ConnectorErrorKind } from '@sheaf/connectors';
import { type MemorySource, createMemorySource } from '@sheaf/connectors/memory';
import { type LinkDraft, type LinkRow, type SavedLink, allLinks, familyCalls } from '@sheaf/contract';
import type { TestOverrides } from '#/test-overrides.ts';
import { type TestApp, type User, testApp } from './app.ts';

export interface LinkApp extends TestApp {
  /** What every link leads to, whatever its family. */
  readonly source: MemorySource;
  /** From now on the source refuses every call like this, or, without a kind, none. */
  refuse(kind?: ConnectorErrorKind, details?: Readonly<Record<string, string>>): void;
  /** A user who is signed in. */
  readonly user: User;
}

type Options = TestOverrides &
  Parameters<typeof createMemorySource>[0] & {
    readonly settings?: Readonly<Record<string, string>>;
    /** Whether the source keeps deleted items. */
    readonly hasBin?: boolean;
    /** Changes what the source's connectors do. */
    readonly changed?: (connector: Connector) => Connector;
  };

/** An app whose links of all families lead to one source in memory. */
export async function linkApp(t: TestContext, { settings, now, changed, hasBin = false, ...options }: Options = {}): Promise<LinkApp> {
  const memory = createMemorySource(options);
  const source = hasBin ? { ...memory, definition: { ...memory.definition, hasBin: true as const } } : memory;
  const { open } = source.definition;
  const app = await testApp(t, {
    findDefinition: async () =>
      changed
        ? { ...source.definition, open: async (info, env) => changed(await open(info as Record<string, string>, env)) }
        : source.definition,
    ...(settings && { settings }),
    ...(now && { now }),
  });
  return {
    ...app,
    source,
    user: await app.signUp(),
    refuse(kind, details = {}) {
      source.setGate(() => {
        if (kind) throw new ConnectorError(kind, 'as the test wants it', { details });
      });
    },
  };
}

export const sftpInfo = {
  server: 'nas.example:22',
  username: 'mara',
  password: 'sftp-secret',
  numConcurrentConnections: '3',
  accessType: 'Internet accessible sftp server',
  path: '',
  enforceSSL: 'ENFORCE_MATCH',
};
export const ftpInfo = {
  server: 'ftp.example',
  protocol: 'FTPS (Explicit TLS)',
  username: 'mara',
  password: 'ftp-secret',
  numConcurrentConnections: '2',
  path: '/',
  enforceSSL: 'ENFORCE_MATCH',
};
export const s3Info = {
  host: '',
  bucketName: 'photos',
  key: 'AKIA',
  secret: 's3-secret',
  defaultStorageClass: 'STANDARD',
  directoryStructure: "SIMPLE '/' DELIMITED",
};
export const davInfo = {
  server: 'https://dav.example',
  username: 'mara',
  password: 'dav-secret',
  authType: 'basic',
  enforceSSL: 'ENFORCE_MATCH',
};

export const draftOf = (connectionInfo: Readonly<Record<string, string>>, more: Partial<LinkDraft> = {}) => ({
  connectionInfo: JSON.stringify(connectionInfo),
  ...more,
});

/** Links an SFTP server without checking it. */
export const addSftp = (user: User, linkName: string, change: Partial<typeof sftpInfo> = {}): Promise<SavedLink> =>
  user.ask(familyCalls.sftp.add, draftOf({ ...sftpInfo, ...change }, { linkName }));

/** All rows of My links. */
export const rowsOf = async (user: User): Promise<LinkRow[]> => (await user.ask(allLinks, {})).activeSources.flatMap(({ links }) => links);

/** Names of what a link's source shows at its root. */
export async function listRoot({ services, user }: { services: TestApp['services']; user: User }, userLinkId: string): Promise<string[]> {
  const { connector } = await services.connections.open(user.userId, userLinkId);
  const names: string[] = [];
  for await (const batch of connector.list('/', { signal: AbortSignal.timeout(20_000) })) names.push(...batch.map(({ name }) => name));
  return names;
}
