import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  // Logos are read from simple-icons as files, by names that the catalogue gives; autocannon and the MCP conformance suite run as programs; libheif-js is loaded as CommonJS.
  ignoreDependencies: ['simple-icons', 'autocannon', '@modelcontextprotocol/conformance', 'libheif-js'],
  // Parts of every Debian, and of OpenSSH's client.
  ignoreBinaries: ['awk', 'ssh-agent', 'sftp'],
  ignoreExportsUsedInFile: true,
  workspaces: {
    '.': { entry: ['scripts/*.ts', '*.test.ts'], project: ['scripts/*.ts', '*.ts'] },
    'packages/*': { entry: ['src/index.ts', 'src/**/*.test.ts', 'src/speed/page.ts'], project: ['src/**/*.ts'] },
    'packages/testbed': {
      entry: ['src/simulators/kit/index.ts', 'src/**/*.test.ts'],
      project: ['src/**/*.ts'],
    },
    'packages/connectors': {
      entry: ['src/index.ts', 'src/conformance/index.ts', 'src/kit/hash/hash-worker.ts', 'src/**/*.test.ts'],
      project: ['src/**/*.ts'],
    },
    'apps/server': {
      entry: [
        'src/main{,-built}.ts',
        'src/**/*-worker.ts',
        'src/testing/record-statements.ts',
        'src/testing/states/{record,later-version}.ts',
        'src/**/*.test.ts',
      ],
      project: ['src/**/*.ts'],
    },
    'apps/fileserver': { entry: ['src/main.ts', 'src/conformance.ts', 'src/**/*.test.ts'], project: ['src/**/*.ts'] },
    'apps/cli': { entry: ['src/main.ts', 'src/**/*.test.ts'], project: ['src/**/*.ts'] },
    'apps/web': {
      entry: ['src/main.tsx', 'src/**/*.test.ts', 'vite.config.ts', 'vault-service/service.ts'],
      project: ['{src,contract,first-scripts,logos,vault-service}/**/*.{ts,tsx}'],
    },
    e2e: {
      entry: ['playwright.config.ts', 'failures-reporter.ts', 'specs/**/*.spec.ts', 'engines/*.test.ts', 'fixtures/*.ts'],
      project: ['**/*.ts'],
    },
    // The simulators run in a process of their own.
    bench: { entry: ['*.ts', 'simulated/{process,huge-folder,vault-files}.ts'], project: ['**/*.ts'] },
  },
};
export default config;
