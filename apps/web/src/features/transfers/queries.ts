import {
  type PlanAction,
  type Transfer,
  type TransferItemState,
  allLinks,
  cancelTransfer,
  changeTransferPlan,
  listTransfers,
  oneTransfer,
  pauseTransfer,
  resumeTransfer,
  limitTransfer,
  retryTransfer,
  startTransfer,
  transferPlan,
  transferReport,
  transferSignature,
  undoTransfer,
} from '@sheaf/contract';
import { infiniteQueryOptions, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { screenText } from '#/lib/http/screen-text.ts';
import { type Payload, send } from '#/lib/http/send.ts';
import { pageTransfers, useTransfers } from '#/lib/transfers/page-transfers.ts';
import { type BrowseUrlOf, itemsOf } from '#/lib/transfers/words.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

const pageSize = 100;

/** All transfers of the account, the latest first. */
export const transferPages = infiniteQueryOptions({
  queryKey: ['transfers'],
  initialPageParam: 0,
  queryFn: ({ pageParam: offset, signal }) => send(listTransfers, { offset, limit: pageSize }, signal),
  getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.reduce((count, { transfers }) => count + transfers.length, 0) : undefined),
  staleTime: 0,
});

const oneQuery = (transferId: string) =>
  queryOptions({
    queryKey: ['transfers', 'one', transferId],
    queryFn: ({ signal }) => send(oneTransfer, { transferId }, signal),
    staleTime: 0,
  });

/** One transfer as it is now: by events where it is among the latest, else as it was loaded. */
export function useTransfer(transferId: string) {
  const live = useTransfers().find((transfer) => transfer.transferId === transferId);
  const query = useQuery(oneQuery(transferId));
  return { transfer: live ?? (query.data && { ...query.data, rate: undefined, secondsLeft: undefined }), query };
}

/** Which items of a plan are wanted. */
export interface PlanFilter {
  readonly only?: PlanAction;
  readonly state?: TransferItemState;
}

/** Items of a plan, a hundred at a time. `version` changes when they do. */
export const planPages = (transferId: string, filter: PlanFilter, version: string) =>
  infiniteQueryOptions({
    queryKey: ['transfers', 'plan', transferId, filter, version],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) => send(transferPlan, { transferId, ...filter, offset, limit: pageSize }, signal),
    getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.reduce((count, { items }) => count + items.length, 0) : undefined),
    staleTime: 0,
    gcTime: 30_000,
  });

/** How the finished files were proven, and how rclone can compare both ends. */
export const provenFiles = (transferId: string, version: string) =>
  queryOptions({
    queryKey: ['transfers', 'proofs', transferId, version],
    queryFn: async ({ signal }) => {
      const { proofs, rcloneChecks } = await send(transferPlan, { transferId, offset: 0, limit: 1 }, signal);
      return { proofs, rcloneChecks };
    },
  });

const acts = {
  start: startTransfer,
  pause: pauseTransfer,
  resume: resumeTransfer,
  cancel: cancelTransfer,
  retry: retryTransfer,
  undo: undoTransfer,
} as const;
export type Act = keyof typeof acts;

/** What can be done with a transfer; the result is shown wherever it is shown. */
export function useAct(transfer: Transfer) {
  const { transferId } = transfer;
  return useMutation({
    mutationFn: (act: Act) => send(acts[act], { transferId }),
    onSuccess: pageTransfers.note,
    onError: (error) => {
      notifyError(screenText('TRANSFER_CHANGE_FAILED', { items: itemsOf(transfer), message: errorText(error) }));
      void pageTransfers.load();
    },
  });
}

/** Changes the speed limit of a transfer that has not ended. */
export function useLimit(transfer: Transfer) {
  const { transferId } = transfer;
  return useMutation({
    mutationFn: (bytesPerSecond: number | undefined) =>
      send(limitTransfer, { transferId, ...(bytesPerSecond !== undefined && { bytesPerSecond }) }),
    onSuccess: pageTransfers.note,
    onError: (error) => {
      notifyError(screenText('TRANSFER_CHANGE_FAILED', { items: itemsOf(transfer), message: errorText(error) }));
      void pageTransfers.load();
    },
  });
}

/** Tries one failed item again. */
export function useRetryItem(transfer: Transfer) {
  const { transferId } = transfer;
  return useMutation({
    mutationFn: (itemId: string) => send(retryTransfer, { transferId, itemId: [itemId] }),
    onSuccess: pageTransfers.note,
    onError: (error) => {
      notifyError(screenText('TRANSFER_CHANGE_FAILED', { items: itemsOf(transfer), message: errorText(error) }));
      void pageTransfers.load();
    },
  });
}

/** Decides taken names of a plan. */
export function useDecide() {
  return useMutation({
    mutationFn: (decision: Payload<typeof changeTransferPlan>) => send(changeTransferPlan, decision),
    onSuccess: pageTransfers.note,
    onError: (error) => notifyError(screenText('PLAN_CHANGE_FAILED', { message: errorText(error) })),
  });
}

/** Addresses of the user's links in the app. */
export function useBrowseUrls(): BrowseUrlOf {
  const { data } = useQuery({ queryKey: ['links'], queryFn: ({ signal }) => send(allLinks, {}, signal) });
  const rows = data?.activeSources.flatMap(({ links }) => links) ?? [];
  return (userLinkId) => rows.find((row) => row.userLinkId === userLinkId)?.browseUrl;
}

/** Address of the signature of a report. */
export const signatureAddress = (transferId: string, format: 'csv' | 'json'): string =>
  withQuery(transferSignature.path, { transferId, format });

/** Address of the report of each file. */
export const reportAddress = (transferId: string, format: 'csv' | 'json'): string => withQuery(transferReport.path, { transferId, format });
