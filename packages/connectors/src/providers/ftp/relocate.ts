import { ConnectorError } from '../../core/error.ts';
import { isPlainNo, refusal } from './errors.ts';
import { find, look } from './listing/lookup.ts';
import type { Session } from './session.ts';

/** Sends a command for `path`; maps a plain refusal to `notFound` when nothing exists, otherwise to `refused`. */
export async function tell(session: Session, command: string, path: string, signal: AbortSignal): Promise<void> {
  const reply = await session.about(command, path, signal);
  if (reply.code < 400) return;
  if (isPlainNo(reply)) await look(session, path, signal);
  throw refusal(reply, command);
}

/** Rejects with `alreadyExists` when the name is taken: RNTO overwrites. */
export async function refuseTaken(session: Session, path: string, signal: AbortSignal): Promise<void> {
  if (await find(session, path, signal)) throw new ConnectorError('alreadyExists', `${path} is taken`);
}

/** RNFR and RNTO: RFC 959, 4.1.3. */
export async function moveTo(session: Session, from: string, to: string, signal: AbortSignal): Promise<void> {
  await tell(session, 'RNFR', from, signal);
  const reply = await session.about('RNTO', to, signal);
  if (reply.code >= 400) throw refusal(reply, 'RNTO');
}
