import { join } from 'node:path';
import { type Simulator, createContents, nodeHash, readDescription, startSimulator } from '../kit/index.ts';
import { createHandlers } from './handlers.ts';
import { problemReply } from './replies.ts';
import { isSigned } from './signature.ts';
import { type Container, type Settings, createContainer } from './state.ts';

export interface AzureBlob extends Simulator {
  /** The account's endpoint, with the account in its path. */
  readonly endpoint: string;
  readonly account: string;
  /** Base64. */
  readonly key: string;
  /** What the owner of the account has enabled; may be changed at any time. */
  readonly settings: Settings;
  addContainer(name: string): Container;
  /** A container that was added. */
  container(name: string): Container;
}

const account = 'simulated';
const key = Buffer.from('the key of the simulated account').toString('base64');

/** Starts one account of Azure Blob Storage with versioning and soft delete, which Microsoft's emulator has not. Everything is off at first, and may be asked. */
export async function startAzureBlob(enabled: Partial<Settings> = {}): Promise<AzureBlob> {
  const settings: Settings = { versioning: false, softDelete: false, hierarchical: false, tellsProperties: true, ...enabled };
  const contents = createContents({ hashes: { md5: nodeHash('md5', 'base64') }, keepUpTo: 64 * 1024 * 1024 });
  const containers = new Map<string, Container>();
  const home = `/${account}`;
  const simulator = await startSimulator({
    name: 'Azure Blob Storage',
    refusal: problemReply,
    authenticate(incoming) {
      if (incoming.headers.authorization === undefined) return 'missing';
      if (!isSigned(incoming, account, key)) return 'invalid';
      return { account: { id: account, email: 'mara@example.org', name: account }, token: '', scopes: [] };
    },
    mounts: [
      {
        at: home,
        description: readDescription(join(import.meta.dirname, 'description.json')),
        deep: ['blob'],
        routes: createHandlers({ containers, contents, settings, home }),
      },
    ],
  });
  return {
    ...simulator,
    endpoint: simulator.url + home,
    account,
    key,
    settings,
    addContainer(name) {
      const container = createContainer(settings);
      containers.set(name, container);
      return container;
    },
    container(name) {
      const container = containers.get(name);
      if (!container) throw new Error(`there is no container ${name}`);
      return container;
    },
  };
}
