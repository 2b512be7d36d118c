import { conformance } from '../../conformance/index.ts';
import { ConnectorError } from '../../core/error.ts';
import { layered } from '../../layers/layered.ts';
import { limit } from '../../layers/limit.ts';
import { retry } from '../../layers/retry.ts';
import { timeout } from '../../layers/timeout.ts';
import { trace } from '../../layers/trace.ts';
import { createMemorySource } from './index.ts';

const refuse = () => Promise.reject(new ConnectorError('unreachable', 'memory needs no network'));
const env = { dialer: { connect: refuse, upgrade: refuse }, remember: async () => undefined, recall: async () => undefined };
const open = () => createMemorySource().definition.open({}, env);

conformance('memory', open, { keepsModified: true });
conformance(
  'memory in all its layers',
  async () =>
    layered(
      await open(),
      trace(() => undefined),
      retry(),
      limit(2),
      timeout(),
    ),
  {
    keepsModified: true,
  },
);
