import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Imports of the project's modules in a source file: relative ones, and those of its package by `#/`. */
const specifiers = /(?:\bfrom|\bimport)\s*\(?\s*['"]((?:#|\.{1,2})\/[^'"]+)['"]/g;

/**
 * Whether a file below `source`, the folder that `#/` stands for, loads `target`, directly or indirectly. Paths may be relative to the working
 * folder.
 */
export function loads(source: string, target: string): (file: string) => boolean {
  const known = new Map<string, readonly string[]>();
  const namedBy = (file: string): readonly string[] => {
    let named = known.get(file);
    if (named === undefined) {
      const found = [...readFileSync(file, 'utf8').matchAll(specifiers)].map(([, name = '']) => name);
      named = found.map((name) => (name.startsWith('#/') ? join(source, name.slice(2)) : join(dirname(file), name)));
      known.set(file, named);
    }
    return named;
  };
  return (file) => {
    const seen = new Set([resolve(file)]);
    for (const one of seen) {
      if (one === resolve(target)) return true;
      if (one.endsWith('.ts')) for (const name of namedBy(one)) seen.add(name);
    }
    return false;
  };
}
