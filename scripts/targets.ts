import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InputOptions, OutputChunk, OutputOptions, Plugin } from 'rolldown';
import type { Target } from './built.ts';
import { compressFiles } from './compress.ts';
import { packWithNpm } from './npm.ts';

/** The web app, built by Vite and compressed, so that the server sends files as they are. */
export const webTarget = (root: string): Target => ({
  name: 'the web app',
  inputs: [
    'apps/web/{src,public,contract,first-scripts,fonts,logos,pdf,vault-service}/**/*',
    'apps/web/*.{ts,html,json}',
    'packages/contract/src/**/*.ts',
    'package-lock.json',
    'scripts/{targets,compress}.ts',
  ],
  folder: 'apps/web/dist',
  async build() {
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: join(root, 'apps/web'),
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`the web app could not be built (vite ended with ${status})`);
    await compressFiles(join(root, 'apps/web/dist'));
  },
});

/**
 * Packages outside the bundle: those with native code, and those that few installations load. Bundling the rest halves the start-up time and saves a
 * third of its memory.
 */
const outside = [
  /^@node-rs\/argon2/,
  /^ssh2$/,
  /^cpu-features$/,
  /^sharp$/,
  /^pg$/,
  /^pg-native$/,
  /^nodemailer$/,
  /^openid-client$/,
  // Fastify requires these when it first needs them: for schemas and injected requests, of which the server has none.
  /^@fastify\/ajv-compiler$/,
  /^@fastify\/fast-json-stringify-compiler$/,
  /^light-my-request$/,
];

/** Modules that a package requires when it is loaded, for a function that Sheaf does not call. */
const deferred = [
  { by: 'fastify/lib/server.js', module: 'node:http2', functions: ['createServer', 'createSecureServer'] },
  { by: '@fastify/static/index.js', module: 'glob', functions: ['glob'] },
] as const;

/** Loads the {@link deferred} modules when their functions are called: 7 ms and 140 KB less at the start. */
const deferring: Plugin = {
  name: 'deferring',
  resolveId(id, importer = '') {
    if (importer.startsWith('\0deferred-')) return { id, external: true };
    const at = deferred.findIndex(({ by, module }) => module === id && importer.endsWith(join('/node_modules', by)));
    return at < 0 ? undefined : `\0deferred-${at}.cjs`;
  },
  load(id) {
    const row = deferred[Number(/^\0deferred-(\d+)\.cjs$/.exec(id)?.[1])];
    return row?.functions.map((name) => `exports.${name} = (...all) => require('${row.module}').${name}(...all);`).join('\n');
  },
};

/**
 * Writes a bundle in ASCII alone: V8 keeps a source with any other character as two bytes for each, which was 6 MiB of the server's memory. An escape stands
 * for the same character everywhere but in the raw text of a template, where no source has one.
 */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle(_options, bundle) {
    for (const output of Object.values(bundle))
      if (output.type === 'chunk')
        output.code = output.code.replaceAll(/[^\0-\u007f]/g, (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'));
  },
};

const serverOptions = { platform: 'node', external: outside, plugins: [deferring, inAscii], logLevel: 'warn' } satisfies InputOptions;

/** The server itself, as CommonJS: `platform/code-loader.ts` loads it. */
const serverInput = (root: string): InputOptions => ({ ...serverOptions, input: { server: join(root, 'apps/server/src/server.ts') } });

/** What Node loads: what loads the server, and the other programs. */
const programsInput = (root: string): InputOptions => ({
  ...serverOptions,
  input: {
    main: join(root, 'apps/server/src/main-built.ts'),
    admin: join(root, 'apps/server/src/admin.ts'),
    // Entry points of threads, which are started by file.
    'heif-worker': join(root, 'apps/server/src/files/thumbnails/heif-worker.ts'),
    'aside-worker': join(root, 'apps/server/src/platform/db/engines/aside-worker.ts'),
    'background-worker': join(root, 'apps/server/src/platform/db/engines/background-worker.ts'),
    'spool-worker': join(root, 'apps/server/src/files/listings/rows/spool-worker.ts'),
    'hash-worker': join(root, 'packages/connectors/src/kit/hash/hash-worker.ts'),
  },
});

const commonOutput: OutputOptions = {
  sourcemap: true,
  // The comments of packages are a fifth of the bytes, which are read at each start and kept as long as the server runs.
  comments: { legal: true, annotation: false, jsdoc: false },
};
const programsOutput: OutputOptions = { ...commonOutput, format: 'esm', chunkFileNames: '[name]-[hash].js' };
const serverOutput: OutputOptions = {
  ...commonOutput,
  format: 'cjs',
  strict: true,
  // Code that is loaded as the server's is cannot import, but require also modules of the other kind.
  dynamicImportInCjs: false,
  // One chunk for the start: each name of another one would be written and looked up through it.
  codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] },
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
};

/** The chunks of the server, not written. */
export async function serverChunks(root: string): Promise<OutputChunk[]> {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown(serverInput(root));
  const { output } = await bundle.generate({ ...serverOutput, sourcemap: false });
  await bundle.close();
  return output.filter((file) => file.type === 'chunk');
}

/** Records what the migrations make of an empty database: a first start makes it at once. */
async function writeFreshSchema(root: string, dir: string): Promise<void> {
  const migrations = pathToFileURL(join(root, 'apps/server/src/platform/db/migrations/')).href;
  const { freshFile, recordFresh } = (await import(`${migrations}fresh.ts`)) as {
    readonly freshFile: string;
    readonly recordFresh: (migrate: (db: unknown) => Promise<void>) => Promise<unknown>;
  };
  const { migrate } = (await import(`${migrations}migrate.ts`)) as { readonly migrate: (db: unknown, engine: 'sqlite') => Promise<void> };
  writeFileSync(join(dir, freshFile), JSON.stringify(await recordFresh((db) => migrate(db, 'sqlite'))));
}

/** The server bundled into few files; the sources also run unbundled. */
export const serverTarget = (root: string): Target => ({
  name: 'the server',
  inputs: [
    'apps/server/src/**/*.ts',
    'apps/server/package.json',
    'packages/{contract,connectors}/src/**/*.ts',
    'package-lock.json',
    'scripts/targets.ts',
  ],
  folder: 'apps/server/dist',
  async build() {
    const { rolldown } = await import('rolldown');
    const dir = join(root, 'apps/server/dist');
    rmSync(dir, { recursive: true, force: true });
    for (const [input, output] of [[serverInput(root), serverOutput] as const, [programsInput(root), programsOutput] as const]) {
      const bundle = await rolldown(input);
      await bundle.write({ ...output, dir });
      await bundle.close();
    }
    await writeFreshSchema(root, dir);
  },
});

/** The command-line client: one file for any Node from version 20 on, and its npm package. */
export const cliTarget = (root: string, dir = join(root, 'apps/cli/dist')): Target => ({
  name: 'the command-line client',
  inputs: [
    'apps/cli/src/**/*.ts',
    'apps/cli/package.json',
    'packages/{contract,vault}/src/**/*.ts',
    'package-lock.json',
    'scripts/{targets,npm}.ts',
  ],
  folder: 'apps/cli/dist',
  async build() {
    const { rolldown } = await import('rolldown');
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    const file = join(dir, 'sheaf.mjs');
    const bundle = await rolldown({
      input: join(root, 'apps/cli/src/main.ts'),
      platform: 'node',
      logLevel: 'warn',
      transform: { target: 'node20' },
    });
    await bundle.write({ file, format: 'esm', banner: '#!/usr/bin/env node', minify: true });
    await bundle.close();
    const { version } = JSON.parse(readFileSync(join(root, 'apps/cli/package.json'), 'utf8')) as { readonly version: string };
    const bin = { sheaf: 'sheaf.mjs' };
    const manifest = { name: 'sheaf-cli', version, type: 'module', bin, files: ['sheaf.mjs'], engines: { node: '>=20' } };
    writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest));
    renameSync(packWithNpm(dir), join(dir, 'sheaf-cli.tgz'));
  },
});
