import { test } from 'node:test';
import { startWebkit } from './browsers.ts';
import { walk } from './walk.ts';

test('a new user walks through everything in WebKit', () => walk('webkit', startWebkit));
