import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { freePort, startProcess, tempDir } from '@sheaf/testbed';
import { browserProgram, firefox, webkitDriver } from '../../scripts/debian-packages.ts';
import { openBidi } from './bidi.ts';
import { openClassic } from './classic.ts';
import { tabOfPlaywright } from './playwright.ts';
import { startScreen } from './screen.ts';
import type { Browser } from './tab.ts';

/** Time zone and language of the user. */
const env = { TZ: 'Europe/Berlin', LANG: 'C.UTF-8' };

/** Starts Debian's Firefox, which supports WebDriver BiDi without a driver. */
export async function startFirefox(): Promise<Browser> {
  await using starting = new AsyncDisposableStack();
  const profile = await tempDir('firefox');
  starting.defer(profile.remove);
  const screen = await startScreen();
  starting.defer(screen.stop);
  const preferences = {
    'ui.prefersReducedMotion': 1,
    'services.settings.server': 'data:,',
    'datareporting.policy.dataSubmissionEnabled': false,
  };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  await writeFile(join(profile.path, 'user.js'), lines.join('\n'));
  const port = await freePort();
  const browser = await startProcess({
    command: firefox,
    args: ['--no-remote', '--profile', profile.path, `--remote-debugging-port=${port}`, 'about:blank'],
    env: { ...env, HOME: profile.path, DISPLAY: screen.display },
    ready: port,
    debianPackage: 'firefox-esr',
  });
  starting.defer(() => browser.stop());
  const session = await openBidi(`ws://127.0.0.1:${port}/session`, screen);
  starting.defer(session.close);
  const all = starting.move();
  return { tab: session.tab, stop: () => all.disposeAsync() };
}

/** Starts the Chromium of the other browser tests, through Playwright as there. */
export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: browserProgram(), args: ['--no-sandbox', '--disable-gpu'] });
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', timezoneId: env.TZ });
  return { tab: tabOfPlaywright(await context.newPage()), stop: () => browser.close() };
}

/** Starts WebKitGTK's MiniBrowser. Its driver supports only WebDriver classic. */
export async function startWebkit(): Promise<Browser> {
  await using starting = new AsyncDisposableStack();
  const home = await tempDir('webkit');
  starting.defer(home.remove);
  const screen = await startScreen();
  starting.defer(screen.stop);
  await mkdir(join(home.path, 'gtk-3.0'));
  await writeFile(join(home.path, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  // The address bar must not keep the window wider than a phone.
  await writeFile(join(home.path, 'gtk-3.0/gtk.css'), '* { min-width: 0; padding: 0; margin: 0; border: 0; font-size: 4px; }');
  const folders = Object.fromEntries(['CONFIG', 'CACHE', 'DATA'].map((kind) => [`XDG_${kind}_HOME`, home.path]));
  const port = await freePort();
  const driver = await startProcess({
    command: webkitDriver,
    args: [`--port=${port}`],
    // Without a graphics card the first paint of a page takes seconds unless the CPU renders it.
    env: { ...env, ...folders, DISPLAY: screen.display, GDK_BACKEND: 'x11', WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1' },
    ready: port,
    debianPackage: 'webkit2gtk-driver',
  });
  starting.defer(() => driver.stop());
  const session = await openClassic(`http://127.0.0.1:${port}`, screen);
  starting.defer(session.close);
  const all = starting.move();
  return { tab: session.tab, stop: () => all.disposeAsync() };
}
