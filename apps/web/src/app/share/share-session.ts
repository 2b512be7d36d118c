import { sessionInfo } from '@sheaf/contract';
import { createQuestion } from '#/lib/http/question.ts';
import { send } from '#/lib/http/send.ts';

/** How the installation presents itself, which comes with the session. */
export const shareSession = createQuestion({ load: (signal) => send(sessionInfo, {}, signal), isOnce: true });
