import { ProcessData, appError, cancelHandoff, completeHandoff, handoffStatus, startHandoff } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { inputReader } from '#/platform/http/input.ts';
import { serve } from '#/platform/http/serve.ts';
import type { Handoffs } from './service.ts';

const readChosen = inputReader(ProcessData);

export function handoffRoutes(app: FastifyInstance, handoffs: Handoffs): void {
  serve(app, startHandoff, ({ userId, input }) => handoffs.start(userId, input));
  serve(app, handoffStatus, ({ userId, input }) => handoffs.status(userId, input.processToken));
  serve(app, completeHandoff, async ({ userId, input }) => {
    await handoffs.complete(userId, input.processToken, readChosen(parsed(input.processData)));
    return {};
  });
  serve(app, cancelHandoff, async ({ userId, input }) => {
    await handoffs.cancel(userId, input.processToken);
    return {};
  });
}

/** Parses JSON; throws INVALID_PARAMETER. */
function parsed(processData: string): unknown {
  try {
    return JSON.parse(processData);
  } catch (error) {
    throw appError('INVALID_PARAMETER', { field: 'processData' }, error);
  }
}
