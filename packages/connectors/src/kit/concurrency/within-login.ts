import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';

/**
 * Opens a session with a signal that also aborts after the login timeout: without it, the deadlines of the single steps would add up when a
 * server answers each step late. Rejects with `timeout` then.
 */
export async function withinLogin<Session>(signal: AbortSignal, open: (both: AbortSignal) => Promise<Session>): Promise<Session> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), deadlines.login);
  try {
    return await open(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (!late.signal.aborted || signal.aborted || !isKind(error, 'aborted')) throw error;
    throw new ConnectorError('timeout', `no login within ${deadlines.login} ms`, { cause: error, retryable: true });
  } finally {
    clearTimeout(timer);
  }
}
