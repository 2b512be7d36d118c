import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** What of a bundler's module is read here. */
interface Module {
  readonly code: string | null;
  readonly importedIds: readonly string[];
  readonly exports: readonly string[];
}
type Lookup = (id: string) => Module | null;

/** Modules that only hand on the names of others: who imports them loads what defines the named ones. */
const barrels: readonly { readonly name: string; readonly file: RegExp }[] = [
  { name: '@sheaf/contract', file: /[\\/]packages[\\/]contract[\\/]src[\\/]index\.ts$/ },
  { name: '@tabler/icons-react', file: /[\\/]@tabler[\\/]icons-react[\\/]dist[\\/]esm[\\/](?:icons[\\/]index|[^\\/]+)\.mjs$/ },
];

const calls = /[\\/]packages[\\/]contract[\\/]src[\\/]calls[\\/]/;

/** The names that a module imports from a package. */
const namesFrom = (code: string, name: string): string[] =>
  [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)]
    .filter(([, , from]) => from === name)
    .flatMap(([, names = '']) => names.split(',').map((one) => one.trim().split(/\s+as\s+/)[0] ?? ''));

/** Modules that are loaded with `entry`, without those that it imports dynamically. */
function loadedWith(entry: string, lookup: Lookup): ReadonlySet<string> {
  const seen = new Set([entry]);
  for (const id of seen) {
    const { code, importedIds = [] } = lookup(id) ?? {};
    for (const imported of importedIds) {
      // A call needs others for their schemas alone, which the build leaves out.
      if (calls.test(id) && calls.test(imported)) continue;
      const barrel = barrels.find(({ file }) => file.test(imported));
      if (!barrel) {
        seen.add(imported);
        continue;
      }
      const names = namesFrom(code ?? '', barrel.name);
      for (const part of lookup(imported)?.importedIds ?? []) {
        const isNamed = names.some((name) => basename(part, '.mjs') === name || lookup(part)?.exports.includes(name));
        if (isNamed && !barrels.some(({ file }) => file.test(part))) seen.add(part);
      }
    }
  }
  return seen;
}

/**
 * The scripts that entries load at once: `libraries` and `both` of both, `files`, `signs` and `share` of a share's page, the
 * others of the app.
 * A library takes what it needs unless an earlier script has it.
 */
const scripts = ['libraries', 'both', 'files', 'signs', 'share', 'queries', 'parts', 'components', 'start'] as const;
type Script = (typeof scripts)[number];

const isLibrary = (id: string): boolean => /[\\/]node_modules[\\/]/.test(id);

/** Of the app, what parts of other pages need as well must not bring the start of the app with it: that would start it there. */
function scriptOfApp(id: string): Script | undefined {
  if (/[\\/]@mantine[\\/]hooks[\\/]|[\\/]clsx[\\/]/.test(id)) return 'parts';
  if (/[\\/]@tanstack[\\/]/.test(id)) return 'queries';
  if (/[\\/]app[\\/]theme[\\/]|[\\/]@mantine[\\/]/.test(id)) return 'components';
  return /[\\/]src[\\/](?:app[\\/]|main\.tsx)|\.html$/.test(id) ? 'start' : 'parts';
}

/** Of the page of a share, what screens of the app load later must not bring the rest with it: what most of them need, the icons of files, other icons. */
function scriptOfShare(id: string): Script | undefined {
  if (/[\\/]src[\\/](?:app|features[\\/]shares)[\\/]|[\\/]question\.ts$|[\\/]share\.(?:html|tsx)$/.test(id)) return 'share';
  if (/[\\/](?:brand|format|RowLink|Skeleton)\b/.test(id)) return 'both';
  if (/[\\/]lib[\\/]files[\\/]|[\\/]ui[\\/]File|[\\/]Icon(?:File|Folder(?:Filled|\.)|Movie|Photo)/.test(id)) return 'files';
  return isLibrary(id) ? 'signs' : undefined;
}

/**
 * Decides in which script a module comes that an entry loads at once. Splitting by use alone would make a hundred files per page, most smaller than their
 * request. Libraries change less often than the app: browsers keep them over an update.
 */
export function firstScripts() {
  const entryOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
  let [app, share]: ReadonlySet<string>[] = [];
  function scriptOf(id: string): Script | undefined {
    if (app?.has(id)) return share?.has(id) ? (isLibrary(id) ? 'libraries' : 'both') : scriptOfApp(id);
    return share?.has(id) ? scriptOfShare(id) : undefined;
  }
  const plugin: Plugin = {
    name: 'first-scripts',
    apply: 'build',
    buildEnd() {
      const lookup: Lookup = (id) => this.getModuleInfo(id);
      [app, share] = [loadedWith(entryOf('index.html'), lookup), loadedWith(entryOf('share.html'), lookup)];
    },
  };
  const groups = scripts.map((name, at) => ({
    name,
    tags: ['$initial' as const],
    test: (id: string): boolean => scriptOf(id) === name,
    priority: 10 + scripts.length - at,
    // What a module needs has a script by the same rule; only libraries have parts that nothing here sees.
    includeDependenciesRecursively: name === 'libraries' || name === 'components',
  }));
  return { plugin, groups };
}
