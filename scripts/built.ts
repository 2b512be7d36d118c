import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A build target that is rebuilt only when its sources have changed. */
export interface Target {
  readonly name: string;
  /** Globs of all its sources, from the root of the project. */
  readonly inputs: readonly string[];
  /** Output folder. */
  readonly folder: string;
  readonly build: () => Promise<void>;
}

/** A hash over the contents of the target's sources. */
function fingerprintOf(root: string, { inputs }: Target): string {
  const hash = createHash('sha256');
  const files = inputs.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }));
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort()) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

function readStamp(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const stampOf = (root: string, { folder }: Target): string => join(root, folder, '.built-from');

/** Whether the output was built from the same sources. */
export const isBuilt = (root: string, target: Target): boolean => readStamp(stampOf(root, target)) === fingerprintOf(root, target);

/** Builds the target unless the output was built from the same sources. */
export async function ensureBuilt(root: string, target: Target): Promise<void> {
  const stamp = stampOf(root, target);
  const fingerprint = fingerprintOf(root, target);
  if (readStamp(stamp) === fingerprint) return;
  console.log(`Building ${target.name} ...`);
  await target.build();
  mkdirSync(join(root, target.folder), { recursive: true });
  writeFileSync(stamp, fingerprint);
}
