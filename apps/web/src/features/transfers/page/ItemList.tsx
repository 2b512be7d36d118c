import { Button, NativeSelect, UnstyledButton } from '@mantine/core';
import { type PlanAction, type PlanItem, type Transfer, type TransferItemState, planActions } from '@sheaf/contract';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '#/features/transfers/figures.ts';
import { actionWords, itemStateWords, sayOf } from '#/features/transfers/plan-words.ts';
import { planPages, useRetryItem } from '#/features/transfers/queries.ts';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { isActive } from '#/lib/transfers/measure.ts';
import { folderOf, lastName } from '#/lib/transfers/words.ts';
import { ShowMore } from '#/ui/button/ShowMore.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import classes from './transfers.module.css';

const states: readonly TransferItemState[] = ['running', 'done', 'waiting', 'failed', 'skipped'];
/** Milliseconds between two looks at the items of a running transfer. */
const lookEvery = 3000;

/** The items of a transfer, by state and action, each with what happens to it and how its copy was proven. */
export function ItemList({ transfer }: { transfer: Transfer }) {
  const { transferId, state, problems, itemsFailed, undoLeft } = transfer;
  const [only, setOnly] = useState<PlanAction>();
  const [itemState, setItemState] = useState<TransferItemState>();
  const pages = useInfiniteQuery({
    ...planPages(transferId, { ...(only && { only }), ...(itemState && { state: itemState }) }, `${state} ${problems} ${undoLeft ?? ''}`),
    // Keeps the rows while another filter or state loads.
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data: loaded } }) => (isActive(transfer) && (loaded?.pages.length ?? 0) <= 2 ? lookEvery : false),
  });
  const { data, error, refetch } = pages;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const total = data?.pages[0]?.total;
  const counts: Partial<Record<PlanAction, number>> = data?.pages[0]?.counts ?? {};
  return (
    <section className={classes.items} aria-labelledby="transfer-items">
      <h2 id="transfer-items">Items</h2>
      <div className={classes.tools}>
        {state === 'planned' ? (
          <Chips
            label="Items by action"
            chosen={only}
            onChoose={setOnly}
            chips={planActions
              .filter((action) => (counts[action] ?? 0) > 0)
              .map((value) => ({ value, title: actionWords[value], count: counts[value] }))}
          />
        ) : (
          <>
            <Chips
              label="Items by state"
              chosen={itemState}
              onChoose={setItemState}
              chips={states.map((value) => ({
                value,
                title: itemStateWords[value],
                count: itemState === value ? total : value === 'failed' ? itemsFailed : undefined,
              }))}
            />
            <NativeSelect
              size="xs"
              aria-label="Items by action"
              value={only ?? ''}
              data={[{ value: '', label: 'All actions' }, ...planActions.map((value) => ({ value, label: actionWords[value] }))]}
              onChange={(event) => setOnly(event.currentTarget.value === '' ? undefined : (event.currentTarget.value as PlanAction))}
            />
          </>
        )}
      </div>
      {error && !data ? (
        <ErrorState title="The items cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows count={5} height={42} tile={22} />
      ) : items.length === 0 ? (
        <EmptyState title="No such items" />
      ) : (
        <ul className={classes.list} aria-label="Items of the transfer">
          {items.map((item) => (
            <ItemRow key={item.itemId} item={item} transfer={transfer} />
          ))}
        </ul>
      )}
      <ShowMore pages={pages} className={classes.more} />
    </section>
  );
}

interface ChipsProps<T extends string> {
  readonly label: string;
  readonly chips: readonly { readonly value: T; readonly title: string; readonly count: number | undefined }[];
  readonly chosen: T | undefined;
  readonly onChoose: (value: T | undefined) => void;
}

function Chips<T extends string>({ label, chips, chosen, onChoose }: ChipsProps<T>) {
  return (
    <div className={classes.chips} role="group" aria-label={label}>
      {[{ value: undefined, title: 'All', count: undefined }, ...chips].map(({ value, title, count }) => (
        <UnstyledButton key={value ?? ''} className={classes.chip} aria-pressed={chosen === value} onClick={() => onChoose(value)}>
          {title}
          {count !== undefined && <span>{formatCount(count)}</span>}
        </UnstyledButton>
      ))}
    </div>
  );
}

function ItemRow({ item, transfer }: { item: PlanItem; transfer: Transfer }) {
  const retry = useRetryItem(transfer);
  const { from, fileType, size, state, action } = item;
  const name = lastName(from);
  const folder = folderOf(from);
  const isBad = state === 'failed' || (action === 'problem' && state !== 'done');
  return (
    <li className={classes.item} data-bad={isBad || undefined}>
      <FileIcon kind={fileKindOf({ name, fileType })} size={20} />
      <div className={classes.what}>
        <b title={from}>{name}</b>
        {folder !== '' && <small>{folder}</small>}
      </div>
      <span className={classes.size}>{size === undefined ? '' : formatSize(size)}</span>
      <span className={classes.say}>
        {isBad && <IconAlertCircle size={16} stroke={1.75} aria-hidden="true" />}
        {state === 'done' && <IconCheck size={16} stroke={2} aria-hidden="true" />}
        <span className={classes.words}>{state === 'running' ? itemStateWords.running : sayOf(item)}</span>
        {state === 'failed' && transfer.state === 'failed' && transfer.undoLeft === undefined && (
          <Button size="compact-xs" aria-label={`Retry ${name}`} disabled={retry.isPending} onClick={() => retry.mutate(item.itemId)}>
            Retry
          </Button>
        )}
      </span>
    </li>
  );
}
