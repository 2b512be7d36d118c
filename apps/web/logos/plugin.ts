import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Source, sources } from '@sheaf/contract';
import type { Plugin } from 'vite';
import { type Look, type Mark, genericMark, letterMark, sheafMark, tileSvg } from './tile.ts';

/** Names in the licensed icon set of the providers that it has a mark for. */
const ownMarks: Readonly<Record<string, string>> = {
  Autodesk: 'autodesk',
  B2: 'backblaze',
  Box: 'box',
  DigitalOcean: 'digitalocean',
  Dropbox: 'dropbox',
  DropboxTeams: 'dropbox',
  Facebook: 'facebook',
  GoogleCloud: 'googlecloud',
  GoogleDrive: 'googledrive',
  Instagram: 'instagram',
  MinIO: 'minio',
  Wasabi: 'wasabi',
};
const sheafsOwn = new Set(['OFS', 'SheafGateway', 'Spaces']);
const folders = { logo: 'images/logos', menu: 'images/menu' } as const satisfies Record<Look, string>;

/** Serves and builds `/images/logos/{provider}.svg` and `/images/menu/{provider}.svg`, and `generic.svg` for every other provider. */
export function providerLogos(): Plugin {
  return {
    name: 'provider-logos',
    async generateBundle() {
      for (const [fileName, source] of await drawAll()) this.emitFile({ type: 'asset', fileName, source });
    },
    async configureServer(server) {
      const files = await drawAll();
      server.middlewares.use('/images', (request, response, next) => {
        const svg = files.get(`images${request.url ?? ''}`);
        if (svg === undefined) next();
        else response.setHeader('content-type', 'image/svg+xml').end(svg);
      });
    },
  };
}

/** All pictures, keyed by the path that serves them. */
export async function drawAll(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const add = (name: string, mark: Mark, hue: number | undefined): void => {
    for (const look of ['logo', 'menu'] as const) files.set(`${folders[look]}/${name}.svg`, tileSvg(mark, hue, look));
  };
  for (const source of sources) {
    const mark = await markOf(source);
    add(source.provider.toLowerCase(), mark, mark === sheafMark ? undefined : source.tile.hue);
  }
  // A source type without a provider of its own shares the logo of a related type: S3X looks like S3.
  for (const { provider, sourceTypes } of sources) {
    const kin = sources.find((source) => source.provider === sourceTypes[0]) ?? sources.find((source) => source.provider === provider);
    for (const type of sourceTypes) {
      if (kin && !files.has(`${folders.logo}/${type.toLowerCase()}.svg`)) add(type.toLowerCase(), await markOf(kin), kin.tile.hue);
    }
  }
  add('generic', genericMark, undefined);
  // Links of an organisation have their own source type and no provider.
  add('org', letterMark('Og'), 285);
  return files;
}

async function markOf({ provider, tile }: Source): Promise<Mark> {
  if (sheafsOwn.has(provider)) return sheafMark;
  const name = ownMarks[provider];
  if (name === undefined) return letterMark(tile.letters);
  const svg = await readFile(fileURLToPath(import.meta.resolve(`simple-icons/icons/${name}.svg`)), 'utf8');
  const [path] = /<path [^>]*>/.exec(svg) ?? [];
  if (path === undefined) throw new Error(`The icon ${name} has no shape.`);
  return { size: 24, svg: path };
}
