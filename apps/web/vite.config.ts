import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { withoutSchemas } from './contract/plugin.ts';
import { steadyFonts } from './fonts/plugin.ts';
import { providerLogos } from './logos/plugin.ts';
import { pdfParts } from './pdf/plugin.ts';
import { vaultService } from './vault-service/plugin.ts';

const server = 'http://127.0.0.1:8180';

export default defineConfig({
  plugins: [react(), steadyFonts(), withoutSchemas(), providerLogos(), pdfParts(), vaultService()],
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // The server's Content-Security-Policy allows fonts and images from files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Splitting by use alone would make a hundred files per page, most smaller than their request. What every page needs is one file here.
        codeSplitting: {
          groups: [
            // Libraries change less often than the app: browsers keep them over an update.
            { name: 'libraries', tags: ['$initial'], test: /[\\/]node_modules[\\/]/, priority: 3 },
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'icons', test: /[\\/]@tabler[\\/]/, minShareCount: 3, priority: 1 },
            // What fields and menus need of the library is large: a screen without any must not load it for a hook or a sum.
            { name: 'hidden', test: /[\\/]components[\\/]VisuallyHidden[\\/]/, priority: 1 },
            { name: 'small', test: /[\\/]@mantine[\\/]hooks[\\/]esm[\\/](?!use-focus|use-click-outside)|[\\/]clsx[\\/]/, priority: 1 },
            { name: 'controls', test: /[\\/]@mantine[\\/](?:core|hooks)[\\/]/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/rest': server, '/login/with': server } },
});
