import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Builds the service worker of vaults under an address that never changes, as browsers require. It imports nothing, so that its types are all to remove. */
export function vaultService(): Plugin {
  const file = fileURLToPath(new URL('service.ts', import.meta.url));
  return {
    name: 'vault-service',
    apply: 'build',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'vault-service.js', source: stripTypeScriptTypes(await readFile(file, 'utf8')) });
    },
  };
}
