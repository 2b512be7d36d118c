import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { browserProgram } from '../scripts/debian-packages.ts';
import type { WorkerOptions } from './fixtures/test.ts';

const report = process.env['SHEAF_TEST_REPORT'];

const wide = { width: 1280, height: 860 };

/**
 * The system's Chromium, at the two widths that every screen supports: a test whose title contains `@narrow` also runs narrow. On Postgres only a few
 * specs run (first use, people in a space and an organisation, the sandbox's clock), to show that the built app works there. The API tests execute every
 * statement on both databases.
 */
export default defineConfig<object, WorkerOptions>({
  testDir: 'specs',
  outputDir: 'test-results',
  fullyParallel: false,
  // A test is idle for a third of its time, so two cores can serve three browsers.
  workers: Math.min(Math.ceil(availableParallelism() * 1.5), 8),
  // The retry only distinguishes a fault from a flaky test, which scripts/flaky-again.ts then runs five times.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['dot'], ...(report === undefined ? [] : [['./failures-reporter.ts', { file: report }] as const])],
  use: {
    launchOptions: {
      executablePath: browserProgram(),
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
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'wide', use: { viewport: wide } },
    { name: 'narrow', grep: /@narrow/, use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
    {
      name: 'postgres',
      testMatch: ['{first-use,activity}.spec.ts', 'spaces/people.spec.ts', 'orgs/members.spec.ts', 'purchase/clock.spec.ts'],
      use: { viewport: wide, database: 'postgres' },
    },
  ],
});
