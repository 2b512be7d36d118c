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
const source = createMemorySource();
const open = () => source.definition.open({}, env);
const resumes = { reopen: open, partSize: 1024 * 1024 };
const hashes = ['sha256'] as const;

conformance('memory', open, { bin: 'hidden', keepsModified: true, hashes, resumes, numbered: true });
const layeredMemory = async () =>
  layered(
    await open(),
    trace(() => () => undefined),
    retry(),
    limit(4),
    timeout(),
  );

source.put('/layered/.keep', '');
conformance('memory in all its layers', layeredMemory, {
  keepsModified: true,
  hashes,
  resumes: { ...resumes, reopen: layeredMemory },
  numbered: true,
  root: '/layered',
});
