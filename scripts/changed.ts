/** Which test files a change of the working tree can reach, for `npm test -- --changed`. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Own modules that a source file names: relative ones, those of its package by `#/`, and other packages of the project. */
const specifiers = /['"]((?:#|\.{1,2})\/[^'"\n]+|@sheaf\/[^'"\n]+)['"]/g;

/** Files whose change is outside the module graph: any test may depend on it. */
const changesAll = /(^|\/)(package(-lock)?\.json|tsconfig[^/]*\.json)$/;

/** Paths from the root that differ from the commit where this branch left main, and on main itself from the last commit. */
export function changedFiles(root: string): string[] {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isMain = git('rev-parse', '--abbrev-ref', 'HEAD') === 'main';
  const base = isMain ? 'HEAD' : git('merge-base', 'main', 'HEAD');
  const paths = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(paths.join('\n').split('\n').filter(Boolean))];
}

/**
 * Returns a function that says whether a test file loads one of the changed files, directly or by other modules. A deleted file reaches the
 * tests whose modules still name it. Paths are relative to the root.
 */
export function reachedBy(root: string, changed: readonly string[]): (test: string) => boolean {
  if (changed.some((path) => changesAll.test(path))) return () => true;
  const targets = new Set(changed);
  const packages = new Map(
    globSync('{apps,packages}/*/package.json', { cwd: root }).map((path) => [
      (JSON.parse(readFileSync(join(root, path), 'utf8')) as { name: string }).name,
      dirname(path),
    ]),
  );
  const known = new Map<string, readonly string[]>();

  function fileOf(specifier: string, from: string): string {
    if (specifier.startsWith('.')) return join(dirname(from), specifier);
    if (specifier.startsWith('#/')) return join(from.split('/').slice(0, 2).join('/'), 'src', specifier.slice(2));
    const [scope, name, ...rest] = specifier.split('/');
    const inside = rest.join('/');
    return join(
      packages.get(`${scope}/${name}`) ?? specifier,
      'src',
      inside === '' ? 'index.ts' : inside.endsWith('.ts') ? inside : `${inside}/index.ts`,
    );
  }

  function namedBy(file: string): readonly string[] {
    let named = known.get(file);
    if (named === undefined) {
      named = [...textOf(join(root, file)).matchAll(specifiers)].map(([, name = '']) => fileOf(name, file));
      known.set(file, named);
    }
    return named;
  }

  return (test) => {
    const seen = new Set([test]);
    for (const file of seen) {
      if (targets.has(file)) return true;
      if (/\.tsx?$/.test(file)) for (const name of namedBy(file)) seen.add(name);
    }
    return false;
  };
}

/** A specifier may be a string of another meaning, so that a file of that name need not exist. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return '';
    throw error;
  }
}
