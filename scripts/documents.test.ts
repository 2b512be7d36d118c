import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const tracked = globSync(['*.md', 'deploy/*.md', 'docs/**/*.md', 'apps/*/README.md', 'packages/*/README.md'], { cwd: root });
/** docs/spec holds the specification, whose examples are not about this repository. */
const documents = tracked.filter((path) => !path.startsWith('docs/spec/'));

/** Documents may leave out `packages` or `apps`, and `src`. */
const workspaces = globSync(['packages/*', 'apps/*'], { cwd: root });
const shortened = new Map(workspaces.map((path) => [path.split('/')[1] ?? path, `${path}/src`]));
const areas = ['access', 'billing', 'files', 'identity', 'links', 'platform', 'secrets', 'serving', 'sharing'];
const bases = ['.', 'apps/server/src', 'apps/web/src', 'packages/connectors/src', 'apps/cli/src'];

/** Whether the text names a file or folder of the repository, rather than a command, an address or a file of somebody else. */
function isPath(text: string): boolean {
  if (!/^[\w-][\w.-]*(?:\/[\w.-]+)+\/?$/.test(text) || text.includes('/dist/')) return false;
  const [first = ''] = text.split('/');
  return (
    existsSync(join(root, first)) ||
    shortened.has(first) ||
    areas.includes(first) ||
    /^(?:core|kit|layers|providers|features|lib)$/.test(first)
  );
}

const exists = (path: string): boolean => {
  const [first = '', ...rest] = path.split('/');
  const long = shortened.has(first) ? [join(shortened.get(first) ?? '', ...rest)] : [];
  return [...bases.map((base) => join(base, path)), ...long].some((candidate) => existsSync(join(root, candidate)));
};

test('every file that a document names or links to exists', () => {
  const missing: string[] = [];
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g))
      if (!/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(document), target))) missing.push(`${document}: link to ${target}`);
    for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/g))
      for (const word of code.split(/\s+/)) if (isPath(word) && !exists(word)) missing.push(`${document}: ${word}`);
  }
  assert.deepEqual(missing, []);
});

test('decisions are numbered without gaps, and each begins with a title', () => {
  const decisions = globSync('docs/decisions/*.md', { cwd: root }).toSorted();
  assert.deepEqual(
    decisions.map((path) => relative('docs/decisions', path).slice(0, 5)),
    decisions.map((_, index) => `${String(index + 1).padStart(4, '0')}-`),
  );
  for (const path of decisions) assert.match(readFileSync(join(root, path), 'utf8'), /^# \S/, path);
});
