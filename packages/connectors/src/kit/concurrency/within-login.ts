import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';

/**
 * Runs what opens a session, with a signal that also fires when the time for a login is over: a server that answers each step, but late, does not add up their deadlines.
 * Rejects with `timeout` then.
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
