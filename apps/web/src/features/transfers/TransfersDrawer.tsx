import { UnstyledButton } from '@mantine/core';
import { IconArrowsDownUp, IconChevronRight, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { LiveTransfer } from '#/lib/transfers/live.ts';
import { pageTransfers, useTransfers } from '#/lib/transfers/page-transfers.ts';
import { useInterrupted } from '#/lib/uploads/kept/interrupted.ts';
import { pageUploads, useUploads } from '#/lib/uploads/page-uploads.ts';
import type { Upload } from '#/lib/uploads/uploads.ts';
import { useFocusBack } from '#/ui/dialog/use-focus-back.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { linesOf } from './groups.ts';
import { NotifyButton } from './NotifyButton.tsx';
import { FolderRow } from './rows/FolderRow.tsx';
import { InterruptedRow } from './rows/InterruptedRow.tsx';
import { ServerRow } from './rows/ServerRow.tsx';
import { TransferRow } from './rows/TransferRow.tsx';
import { totalsOf } from './totals.ts';
import classes from './TransfersDrawer.module.css';

/** More rows would only slow the page down. */
const mostRows = 100;

/** Milliseconds for which transfers that have ended stay in the drawer; the page of transfers keeps them. */
const keptFor = 3_600_000;

/** Running, failed and finished uploads, and transfers of the server. Stays open while the user moves between folders. */
export function TransfersDrawer({ onClose }: { onClose: () => void }) {
  const uploads = useUploads();
  const transfers = useTransfers();
  const interrupted = useInterrupted();
  const { open } = totalsOf(uploads, transfers);
  const place = useRef<HTMLElement>(null);
  const hasFocus = useRef(false);
  useFocusBack();
  useEffect(() => pageTransfers.view(), []);
  useEffect(() => {
    // A row that disappears or moves to another section would take the focus along.
    if (hasFocus.current && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  });
  const running = uploads.filter(({ state }) => state === 'running' || state === 'waiting' || state === 'asking');
  const stopped = uploads.filter(({ state }) => state === 'failed');
  const done = uploads.filter(({ state }) => state === 'done').toReversed();
  const moving = transfers.filter(({ state }) => state === 'planning' || state === 'running');
  const held = transfers.filter((transfer) => isHeld(transfer) || (transfer.state === 'failed' && isRecent(transfer)));
  const moved = transfers.filter((transfer) => transfer.state === 'done' && isRecent(transfer));
  return (
    <aside
      ref={place}
      className={classes.drawer}
      aria-label="Transfers"
      tabIndex={-1}
      onFocus={() => (hasFocus.current = true)}
      onBlur={() => (hasFocus.current = false)}
    >
      <header className={classes.header}>
        <h2>Transfers</h2>
        <span className={classes.count} role="status">
          {open > 0 && `${open} running`}
        </span>
        <IconButton small label="Close" withTooltip={false} onClick={onClose}>
          <IconX size={16} stroke={1.75} />
        </IconButton>
      </header>
      <div className={classes.body}>
        {uploads.length + interrupted.length + moving.length + held.length + moved.length === 0 && (
          <EmptyState icon={<IconArrowsDownUp size={24} stroke={1.5} />} title="No transfers">
            Files that you upload, copy or move appear here.
          </EmptyState>
        )}
        {interrupted.length > 0 && (
          <section>
            <h3 className={classes.heading}>Interrupted</h3>
            <ul>
              {interrupted.slice(0, mostRows).map((batch) => (
                <InterruptedRow key={batch.id} batch={batch} />
              ))}
            </ul>
          </section>
        )}
        <Section
          title="Running"
          uploads={running}
          transfers={moving}
          action={running.length > 1 && { text: 'Cancel all', run: () => pageUploads.cancel() }}
        />
        <Section title="Stopped" uploads={stopped} transfers={held} isEach />
        <Section title="Done" uploads={done} transfers={moved} action={done.length > 0 && { text: 'Clear', run: pageUploads.clearDone }} />
      </div>
      <footer className={classes.footer}>
        {moving.length > 0 && <NotifyButton />}
        <PathLink className={classes.allTransfers} href="/transfers">
          All transfers
          <IconChevronRight size={16} stroke={2} aria-hidden="true" />
        </PathLink>
      </footer>
    </aside>
  );
}

/** Waits for something: a moment, the user, or a decision. */
const isHeld = ({ state }: LiveTransfer): boolean => state === 'waiting' || state === 'paused' || state === 'planned';
const isRecent = ({ endedAt }: LiveTransfer): boolean => endedAt !== undefined && Date.now() - endedAt < keptFor;

interface Action {
  readonly text: string;
  readonly run: () => void;
}

type SectionProps = {
  title: string;
  uploads: readonly Upload[];
  transfers: readonly LiveTransfer[];
  action?: Action | false;
  /** Shows each file, including those of folders. */
  isEach?: boolean;
};

function Section({ title, uploads, transfers, action, isEach = false }: SectionProps) {
  const all = useUploads();
  if (uploads.length + transfers.length === 0) return null;
  // Lists failures file by file, with the reason and a retry.
  const lines = isEach ? uploads.map((upload) => ({ upload })) : linesOf(uploads);
  return (
    <section>
      <h3 className={classes.heading}>
        {title}
        {action && <UnstyledButton onClick={action.run}>{action.text}</UnstyledButton>}
      </h3>
      <ul>
        {transfers.slice(0, mostRows).map((transfer) => (
          <ServerRow key={transfer.transferId} transfer={transfer} />
        ))}
        {lines
          .slice(0, mostRows)
          .map((line) =>
            'upload' in line ? (
              <TransferRow key={line.upload.id} upload={line.upload} />
            ) : (
              <FolderRow key={`${line.uploads[0]?.batch} ${line.name}`} name={line.name} uploads={line.uploads} all={all} />
            ),
          )}
      </ul>
      {lines.length > mostRows && <p className={classes.more}>and {lines.length - mostRows} more</p>}
    </section>
  );
}
