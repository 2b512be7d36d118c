import { defineConfig } from '@playwright/test';

const report = process.env['SHEAF_TEST_REPORT'];

/** The system's Chromium, at the two widths every screen is made for. A spec runs narrow too when its title says `@narrow`. */
export default defineConfig({
  testDir: 'specs',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  // What passes only when tried again is named at the end of `npm test`.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['dot'], ...(report === undefined ? [] : [['./failures-reporter.ts', { file: report }] as const])],
  use: {
    launchOptions: {
      executablePath: process.env['SHEAF_CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'wide', use: { viewport: { width: 1280, height: 860 } } },
    { name: 'narrow', grep: /@narrow/, use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
  ],
});
