import type { Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { type Reply, isPlainNo, refusal } from './errors.ts';
import { find, finding, look } from './listing/lookup.ts';
import { type Question, mapped } from './question.ts';
import type { Session } from './session.ts';

/** Throws for a refused command about `path`: `notFound` when a plain refusal means that nothing exists. */
async function refused(session: Session, reply: Reply, command: string, path: string, signal: AbortSignal): Promise<never> {
  if (isPlainNo(reply)) await look(session, path, signal);
  throw refusal(reply, command);
}

const refuseFound = (path: string, found: Entry | undefined): void => {
  if (found) throw new ConnectorError('alreadyExists', `${path} is taken`);
};

/** Rejects with `alreadyExists` when the name is taken: RNTO overwrites. */
export const refuseTaken = async (session: Session, path: string, signal: AbortSignal): Promise<void> =>
  refuseFound(path, await find(session, path, signal));

/** The query of {@link refuseTaken}. */
export const refusingTaken = (session: Session, path: string, signal: AbortSignal): Question<void> =>
  mapped(finding(session, path, signal), (found) => refuseFound(path, found));

/** RNFR and RNTO: RFC 959, section 4.1.3. No other command may be sent between them: ProFTPD then refuses everything that follows. */
export async function moveTo(session: Session, from: string, to: string, signal: AbortSignal): Promise<void> {
  const series = session.control.series([session.line('RNFR', from), session.line('RNTO', to)], signal);
  const begun = await series.next();
  if (begun.code >= 400) {
    await series.skip(1);
    await refused(session, begun, 'RNFR', from, signal);
  }
  const reply = await series.next();
  if (reply.code >= 400) throw refusal(reply, 'RNTO');
}
