import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file of the built web app, ready to send. */
export interface Asset {
  readonly type: string;
  readonly etag: string;
  /** Whether its name changes with its content, so that browsers may cache it forever. */
  readonly immutable: boolean;
  /** The bytes in the best coding that the browser accepts (RFC 9110 §12.5.3), compressed once and cached. */
  encoded(acceptEncoding: string): Promise<{ bytes: Buffer; encoding?: 'br' | 'gzip' }>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const compressible = new Set(['.css', '.html', '.js', '.json', '.map', '.mjs', '.svg', '.txt', '.wasm', '.webmanifest']);
const codings = {
  br: (bytes: Buffer): Promise<Buffer> => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes),
} as const;

/**
 * Finds the files under `folder`, keyed by their path in the address (`/assets/x.js`); empty when the folder does not exist. Reads each on first use.
 */
export function findAssets(folder: string): ReadonlyMap<string, () => Asset> {
  const found = new Map<string, () => Asset>();
  for (const entry of listFiles(folder)) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    let asset: Asset | undefined;
    if (entry.isFile() && !entry.name.startsWith('.')) found.set(path, () => (asset ??= readAsset(file, path.startsWith('/assets/'))));
  }
  return found;
}

function listFiles(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function readAsset(file: string, immutable: boolean): Asset {
  const plain = readFileSync(file);
  const extension = extname(file);
  const kept = new Map<string, Promise<Buffer>>();
  return {
    type: types[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    immutable,
    async encoded(acceptEncoding) {
      const encoding = (['br', 'gzip'] as const).find((name) =>
        new RegExp(String.raw`\b${name}\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))`).test(acceptEncoding),
      );
      if (encoding === undefined || !compressible.has(extension) || plain.length < 1024) return { bytes: plain };
      const bytes = kept.get(encoding) ?? codings[encoding](plain);
      kept.set(encoding, bytes);
      return { bytes: await bytes, encoding };
    },
  };
}
