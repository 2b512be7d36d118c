import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isMissingFile } from '#/platform/missing-file.ts';

/**
 * Paths of the files under `folder` as addresses name them (`/assets/x.js`); empty when the folder does not exist. Leaves out hidden files, and the
 * compressed copies that the build writes beside files (`x.js.br`, `x.js.gz`).
 */
export function findAssets(folder: string): ReadonlySet<string> {
  const files = listFiles(folder).filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !/\.(?:br|gz)$/.test(entry.name));
  return new Set(files.map(({ parentPath, name }) => `/${relative(folder, join(parentPath, name)).split(sep).join('/')}`));
}

function listFiles(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}
