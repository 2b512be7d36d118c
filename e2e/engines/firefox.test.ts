import { test } from 'node:test';
import { startFirefox } from './browsers.ts';
import { walk } from './walk.ts';

test('a new user walks through everything in Firefox', () => walk('firefox', startFirefox));
