import { randomUUID } from 'node:crypto';
import type { Usage } from '../../core/connector.ts';
import type { Definition } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { nameOf, parentOf } from '../../kit/names/path.ts';
import { type Gate, openMemory } from './connector.ts';
import { type Folder, emptyFolder, folderAt, place } from './tree.ts';

interface Options {
  readonly id?: string;
  /** Fields that the definition marks as secret. */
  readonly secrets?: readonly string[];
  /** Fields that must not be empty. */
  readonly required?: readonly string[];
  readonly concurrency?: number;
  readonly gate?: Gate;
  /** Entries per batch of a listing. */
  readonly batchSize?: number;
  /** Bytes per chunk of a body. */
  readonly chunkSize?: number;
  /** Size of a resumable part in bytes. */
  readonly partSize?: number;
  /** Storage limits that links report, by their connection info. The tree itself does not enforce them. */
  readonly limits?: (info: Info) => StorageLimits;
  /** Usage that links report; absent: they report none. */
  readonly usage?: () => Usage;
}

type Info = Readonly<Record<string, string>>;

/** An in-memory source: the tree behind its links, and controls for tests. */
export interface MemorySource {
  readonly definition: Definition<Info>;
  readonly root: Folder;
  /** Number of connectors opened and closed. */
  readonly counts: { opened: number; closed: number };
  /** Connection info of the last opening. */
  lastInfo: Info | undefined;
  /** Replaces the gate of every call. */
  setGate(gate: Gate): void;
  /** Creates a file and its parent folders. */
  put(path: string, content: string | Buffer): void;
}

const parts = (info: Info, names: readonly string[]) => names.map((name) => info[name] ?? '');

/** Creates an empty source; all its links show the same tree. */
export function createMemorySource(options: Options = {}): MemorySource {
  const { secrets = ['password', 'secret', 'keyfileContent', 'authjson', 'applicationKey'], required = [], concurrency = 4 } = options;
  let gate: Gate = options.gate ?? (() => undefined);
  const source: MemorySource = {
    root: emptyFolder(),
    counts: { opened: 0, closed: 0 },
    lastInfo: undefined,
    setGate(next) {
      gate = next;
    },
    put(path, content) {
      foldersAbove(source.root, path);
      const bytes = Buffer.from(content);
      folderAt(source.root, parentOf(path)).children.set(nameOf(path), {
        kind: 'file',
        bytes,
        modified: 1_700_000_000,
        etag: randomUUID(),
      });
    },
    definition: {
      id: options.id ?? 'memory',
      secrets,
      movesTrees: true,
      parse(info) {
        const missing = required.find((field) => !info[field]);
        if (missing !== undefined) throw new ConnectorError('badConfig', `${missing} is missing`, { details: { field: missing } });
        return info;
      },
      account: (info) => parts(info, info['bucketName'] ? ['bucketName'] : ['username', 'server']).join('@'),
      identity: (info) => JSON.stringify(parts(info, ['server', 'host', 'bucketName', 'username', 'key'])),
      concurrency: () => concurrency,
      async open(info) {
        source.counts.opened++;
        source.lastInfo = info;
        return openMemory({
          root: source.root,
          gate: (operation, path, part) => gate(operation, path, part),
          batchSize: options.batchSize ?? 1000,
          chunkSize: options.chunkSize ?? 64 * 1024,
          partSize: options.partSize ?? 1024 * 1024,
          limits: options.limits?.(info) ?? {},
          usage: options.usage,
          closed: () => void source.counts.closed++,
        });
      },
    },
  };
  return source;
}

function foldersAbove(root: Folder, path: string): void {
  const folder = parentOf(path);
  if (folder === '/') return;
  foldersAbove(root, folder);
  if (!folderAt(root, parentOf(folder)).children.has(nameOf(folder))) place(root, folder, emptyFolder());
}
