import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Files that PDFs may need besides the script: character maps, standard fonts, decoders without WebAssembly. */
const parts: readonly { readonly folder: string; readonly files: RegExp }[] = [
  { folder: 'cmaps', files: /\.bcmap$|^LICENSE/ },
  { folder: 'standard_fonts', files: /\.(?:pfb|ttf)$|^LICENSE/ },
  { folder: 'wasm', files: /_nowasm_fallback\.js$|^LICENSE_.*(?:JBIG2|OPENJPEG)$/ },
];

/** Serves and builds these under `/assets/pdf-{version}/`, where the viewer requests them. */
export function pdfParts(): Plugin {
  const home = dirname(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist'))));
  const all = async (): Promise<Map<string, string>> => {
    const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
    const found = new Map<string, string>();
    for (const { folder, files } of parts)
      for (const name of await readdir(join(home, folder)))
        if (files.test(name)) found.set(`assets/pdf-${version}/${folder}/${name}`, join(home, folder, name));
    return found;
  };
  return {
    name: 'pdf-parts',
    async generateBundle() {
      for (const [fileName, file] of await all()) this.emitFile({ type: 'asset', fileName, source: await readFile(file) });
    },
    async configureServer(server) {
      const files = await all();
      server.middlewares.use((request, response, next) => {
        const file = files.get((request.url ?? '').slice(1));
        if (file === undefined) return next();
        readFile(file).then(
          (bytes) => response.setHeader('content-type', file.endsWith('.js') ? 'text/javascript' : 'application/octet-stream').end(bytes),
          next,
        );
      });
    },
  };
}
