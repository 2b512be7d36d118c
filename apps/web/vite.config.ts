import react from '@vitejs/plugin-react';
import { type Plugin, defineConfig } from 'vite';
import { withoutSchemas } from './contract/plugin.ts';
import { firstScripts } from './first-scripts/plugin.ts';
import { steadyFonts } from './fonts/plugin.ts';
import { providerLogos } from './logos/plugin.ts';
import { pdfParts } from './pdf/plugin.ts';
import { vaultService } from './vault-service/plugin.ts';

const server = 'http://127.0.0.1:8180';

const first = firstScripts();

/** While developing, as on the server, the addresses of shares have a page of their own. */
const sharePage: Plugin = {
  name: 'share-page',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (request.url?.startsWith('/s/')) request.url = '/share.html';
      next();
    });
  },
};

export default defineConfig({
  plugins: [react(), steadyFonts(), withoutSchemas(), providerLogos(), pdfParts(), vaultService(), sharePage, first.plugin],
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // The server's Content-Security-Policy allows fonts and images from files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: ['index.html', 'share.html'],
      output: {
        codeSplitting: {
          groups: [
            ...first.groups,
            { name: 'icons', test: /[\\/]@tabler[\\/]/, minShareCount: 3, priority: 1 },
            // What fields and menus need of the library is large: a screen without any must not load it for a hook, a sum or a button.
            { name: 'small', test: /[\\/]@mantine[\\/]hooks[\\/]esm[\\/](?!use-focus|use-click-outside)|[\\/]clsx[\\/]/, priority: 3 },
            {
              name: 'buttons',
              test: /[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](?:Button|UnstyledButton|VisuallyHidden)[\\/]/,
              priority: 2,
            },
            { name: 'controls', test: /[\\/]@mantine[\\/](?:core|hooks)[\\/]/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/rest': server, '/login/with': server } },
});
