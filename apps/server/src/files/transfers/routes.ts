import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cancelTransfer,
  changeTransferPlan,
  copyFromAddress,
  copyObjects,
  limits,
  limitTransfer,
  listTransfers,
  lookAtAddress,
  moveObjects,
  oneTransfer,
  pauseTransfer,
  planTransfer,
  reportKey,
  resumeTransfer,
  retryTransfer,
  setTransferBandwidth,
  startTransfer,
  transferBandwidth,
  transferEvents,
  transferPlan,
  transferReport,
  transferSignature,
  undoTransfer,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import { callerOf } from '#/platform/http/session.ts';
import { createPlaces } from '#/platform/places.ts';
import type { BandwidthService } from './bandwidth-service.ts';
import { reportHead, reportLines } from './report.ts';
import type { TransferService } from './service.ts';
import type { ReportSigner } from './signature.ts';
import type { WebAddresses } from './web/addresses.ts';

/** Milliseconds between two events: with running transfers, and without. */
const [soon, later] = [500, 2000];
/** Milliseconds after which a silent stream gets a comment, so that proxies keep it open. */
const silence = 25_000;

const reportName = (id: string, format: 'json' | 'csv'): string => `transfer-${id}.${format === 'csv' ? 'csv' : 'jsonl'}`;

/** Routes of `contract/transfers.ts`. */
export function transferRoutes(
  app: FastifyInstance,
  transfers: TransferService & { readonly reports: ReportSigner },
  bandwidth: BandwidthService,
  web: WebAddresses,
): void {
  serve(app, copyObjects, ({ userId, input }) => transfers.copy(userId, input));
  serve(app, moveObjects, ({ userId, input }) => transfers.move(userId, input));
  serve(app, lookAtAddress, ({ userId, input, signal }) => web.look(userId, input, signal));
  serve(app, copyFromAddress, async ({ userId, input, signal }) => {
    const { parentLinkUri, conflict } = input;
    return transfers.copy(userId, { linkUri: [await web.add(userId, input, signal)], parentLinkUri, conflict });
  });
  serve(app, planTransfer, ({ userId, input }) => transfers.plan(userId, input));
  serve(app, transferPlan, ({ userId, input, signal }) => transfers.planned(userId, input, signal));
  serve(app, changeTransferPlan, ({ userId, input }) => transfers.decide(userId, input));
  serve(app, startTransfer, ({ userId, input }) => transfers.start(userId, input.transferId));
  serve(app, pauseTransfer, ({ userId, input }) => transfers.pause(userId, input.transferId));
  serve(app, resumeTransfer, ({ userId, input }) => transfers.resume(userId, input.transferId));
  serve(app, cancelTransfer, ({ userId, input }) => transfers.cancel(userId, input.transferId));
  serve(app, limitTransfer, ({ userId, input }) => transfers.limit(userId, input.transferId, input.bytesPerSecond));
  serve(app, retryTransfer, ({ userId, input }) => transfers.retry(userId, input.transferId, input.itemId));
  serve(app, undoTransfer, ({ userId, input }) => transfers.undo(userId, input.transferId));
  serve(app, oneTransfer, ({ userId, input }) => transfers.one(userId, input.transferId));
  serve(app, listTransfers, ({ userId, input }) => transfers.list(userId, input));

  serve(app, transferBandwidth, ({ userId }) => bandwidth.get(userId));
  serve(app, setTransferBandwidth, ({ userId, input }) => bandwidth.set(userId, input));

  async function* report(userId: string, id: string, format: 'json' | 'csv'): AsyncGenerator<string> {
    const { verify } = await transfers.one(userId, id);
    yield reportHead(format);
    for await (const rows of transfers.files(userId, id)) yield reportLines(rows, format, verify);
  }
  serve(app, transferSignature, async ({ userId, input: { transferId, format } }) => {
    await transfers.ended(userId, transferId);
    return transfers.reports.sign(reportName(transferId, format), report(userId, transferId, format));
  });
  serve(app, reportKey, async () => ({ publicKey: transfers.reports.publicKey() }));
  serve(app, transferReport, async ({ userId, input: { transferId, format }, reply }) => {
    const { transferId: id } = await transfers.one(userId, transferId);
    reply.header('content-disposition', `attachment; filename="${reportName(id, format)}"`);
    reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8');
    return reply.send(Readable.from(report(userId, id, format)));
  });

  const streams = createPlaces(limits.eventStreams);
  serve(app, transferEvents, async ({ userId, signal, request, reply }) => {
    const leave = streams.take(userId);
    reply.raw.once('close', leave);
    // A session that has ended hears nothing more.
    const isSignedIn = async (): Promise<boolean> => (await callerOf(request))?.userId === userId;
    async function* events(): AsyncGenerator<string> {
      const look = await transfers.watch(userId);
      let saidAt = performance.now();
      yield ': open\n\n';
      while (!signal.aborted && (await isSignedIn())) {
        const changed = await look();
        for (const transfer of changed) yield `event: transfer\ndata: ${JSON.stringify(transfer)}\n\n`;
        if (changed.length > 0) saidAt = performance.now();
        else if (performance.now() - saidAt > silence) {
          saidAt = performance.now();
          yield ': still here\n\n';
        }
        await sleep(changed.length > 0 ? soon : later, undefined, { signal }).catch(() => undefined);
      }
    }
    reply.header('x-accel-buffering', 'no').type('text/event-stream');
    return reply.send(Readable.from(events()));
  });
}
