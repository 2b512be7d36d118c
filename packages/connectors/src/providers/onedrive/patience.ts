import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError } from '../../core/error.ts';

/** Waits; rejects with `aborted` when the signal fires before. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (cause) {
    throw new ConnectorError('aborted', 'given up while waiting', { cause });
  }
}
