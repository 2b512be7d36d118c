import { test } from 'node:test';
import { startChromium } from './browsers.ts';
import { walk } from './walk.ts';

test('a new user walks through everything in Chromium', () => walk('chromium', startChromium));
