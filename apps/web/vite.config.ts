import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { providerLogos } from './logos/plugin.ts';
import { pdfParts } from './pdf/plugin.ts';

const server = 'http://127.0.0.1:8180';

export default defineConfig({
  plugins: [react(), providerLogos(), pdfParts()],
  build: {
    target: 'es2023',
    // The policy of the server allows fonts and images from files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/rest': server, '/login/with': server } },
});
