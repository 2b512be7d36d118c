import { Button } from '@mantine/core';
import type { Transfer } from '@sheaf/contract';
import { IconArrowsDownUp } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SpeedLimits } from '#/features/transfers/bandwidth/SpeedLimits.tsx';
import { formatCount, formatMoment, itemsText, paceOf } from '#/features/transfers/figures.ts';
import { NotifyButton } from '#/features/transfers/NotifyButton.tsx';
import { stateWords } from '#/features/transfers/plan-words.ts';
import { transferPages, useBrowseUrls } from '#/features/transfers/queries.ts';
import { type FileKind, fileKindOf } from '#/lib/files/file-kind.ts';
import { formatSize } from '#/lib/format.ts';
import { errorText, errorAnswerText } from '#/lib/http/error-text.ts';
import type { LiveTransfer } from '#/lib/transfers/live.ts';
import { hasEnded, shareOf } from '#/lib/transfers/measure.ts';
import { pageTransfers, useTransfers } from '#/lib/transfers/page-transfers.ts';
import { type BrowseUrlOf, itemsOf, lastName, titleOf } from '#/lib/transfers/words.ts';
import { openPercent } from '#/lib/uploads/uploads.ts';
import { ShowMore } from '#/ui/button/ShowMore.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { OverRow, RowLink } from '#/ui/RowLink.tsx';
import { Actions } from './Actions.tsx';
import { Scheduled } from './Scheduled.tsx';
import { Way } from './Way.tsx';
import classes from './transfers.module.css';

const sections: readonly { readonly title: string; readonly states: readonly Transfer['state'][] }[] = [
  { title: 'Needs a decision', states: ['planned'] },
  { title: 'Running', states: ['planning', 'running'] },
  { title: 'Waiting', states: ['waiting', 'paused'] },
  { title: 'Ended', states: ['done', 'failed', 'canceled'] },
];

/** All transfers of the account: those that need a decision, run, wait, and have ended. */
export function TransfersPage() {
  const pages = useInfiniteQuery(transferPages);
  const { data, error, refetch } = pages;
  const live = useTransfers();
  const browseUrlOf = useBrowseUrls();
  useEffect(() => pageTransfers.view(), []);
  const transfers = merged(data?.pages.flatMap((page) => page.transfers) ?? [], live);
  return (
    <Page>
      <PageHead title="Transfers" line="Copies and moves between your links. They go on when you close this page.">
        <SpeedLimits />
        <NotifyButton />
      </PageHead>
      <Scheduled />
      {error && !data ? (
        <ErrorState title="The transfers cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows count={4} height={64} />
      ) : transfers.length === 0 ? (
        <EmptyState icon={<IconArrowsDownUp size={24} stroke={1.5} />} title="No transfers yet">
          Select files or folders in any link, and choose Copy or Move.
        </EmptyState>
      ) : (
        sections.map(({ title, states }) => {
          const own = transfers.filter(({ state }) => states.includes(state));
          return own.length === 0 ? null : (
            <section key={title} className={classes.section} aria-label={title}>
              <h2>
                {title}
                <span>{own.length}</span>
              </h2>
              <ul>
                {own.map((transfer) => (
                  <Row key={transfer.transferId} transfer={transfer} browseUrlOf={browseUrlOf} />
                ))}
              </ul>
            </section>
          );
        })
      )}
      <ShowMore pages={pages} className={classes.more} />
    </Page>
  );
}

/** Loaded transfers as they are now, and those that have come since. */
export function merged(loaded: readonly Transfer[], live: readonly LiveTransfer[]): readonly LiveTransfer[] {
  const all = new Map<string, LiveTransfer>(
    loaded.map((transfer) => [transfer.transferId, { ...transfer, rate: undefined, secondsLeft: undefined }]),
  );
  for (const transfer of live) all.set(transfer.transferId, transfer);
  return [...all.values()].toSorted((a, b) => b.createdAt - a.createdAt);
}

/** Icon of what goes: several items, and what is not known to be a file, as a folder. */
function kindOf(from: Transfer['from']): FileKind {
  const [only] = from;
  const kind = only && !only.isFolder ? fileKindOf({ name: lastName(only.path) }) : 'folder';
  return from.length > 1 || kind === 'plain' ? 'folder' : kind;
}

function Row({ transfer, browseUrlOf }: { transfer: LiveTransfer; browseUrlOf: BrowseUrlOf }) {
  const { transferId, state, from } = transfer;
  const percent = openPercent(shareOf(transfer));
  const isOpen = state === 'running' || state === 'waiting' || state === 'paused';
  return (
    <li className={classes.transfer} data-state={state}>
      <FileIcon kind={kindOf(from)} />
      <div className={classes.what}>
        <RowLink className={classes.title} href={`/transfers/${transferId}`}>
          {titleOf(transfer)}
        </RowLink>
        <OverRow>
          <Way transfer={transfer} browseUrlOf={browseUrlOf} />
        </OverRow>
      </div>
      <div className={classes.middle}>
        {isOpen && (
          <div
            className={classes.track}
            role="progressbar"
            aria-label={itemsOf(transfer)}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
            data-state={state}
          >
            <i style={{ width: `${percent}%` }} />
          </div>
        )}
        <span>
          <Figures transfer={transfer} percent={percent} />
        </span>
      </div>
      <OverRow className={classes.actions}>
        {state === 'planned' && (
          <Button component={PathLink} size="xs" variant="filled" href={`/transfers/${transferId}`}>
            {transfer.problems > 0 ? 'Decide' : 'Review'}
          </Button>
        )}
        <Actions transfer={transfer} small />
      </OverRow>
    </li>
  );
}

function Figures({ transfer, percent }: { transfer: LiveTransfer; percent: number }) {
  const { state, problems, itemsDone, itemsTotal, itemsFailed, bytesDone, bytesTotal, waitingUntil, endedAt, error } = transfer;
  if (state === 'planning') return `Planning, ${itemsText(itemsTotal)} so far`;
  if (state === 'planned') return problems === 0 ? 'Ready to start' : `${itemsText(problems)} to decide, ${formatSize(bytesTotal)} in all`;
  const { speed, left } = paceOf(transfer);
  if (state === 'running')
    return [`${percent} %`, `${formatCount(itemsDone)} of ${itemsText(itemsTotal)}`, speed, left]
      .filter((part) => part !== undefined)
      .join(', ');
  if (state === 'paused') return `Paused at ${percent} %, ${formatSize(bytesDone)} of ${formatSize(bytesTotal)}`;
  if (state === 'waiting')
    return `Waiting${waitingUntil === undefined ? '' : ` until ${formatMoment(waitingUntil)}`}${error ? `. ${errorAnswerText(error)}` : ''}`;
  const when = endedAt === undefined ? '' : `, ${formatMoment(endedAt)}`;
  if (state === 'failed' && error) return `${errorAnswerText(error)} ${endedAt === undefined ? '' : formatMoment(endedAt)}`;
  const failed = itemsFailed > 0 ? `, ${formatCount(itemsFailed)} failed` : '';
  return hasEnded(transfer) ? `${stateWords[state]}, ${itemsText(itemsDone)}, ${formatSize(bytesDone)}${failed}${when}` : stateWords[state];
}
