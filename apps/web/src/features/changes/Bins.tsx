import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type BinItem, binPurge, binRestore, setBinDays } from '@sheaf/contract';
import { IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { daysOf, formatModified, formatSize, itemCount } from '#/lib/format.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { ShowMore } from '#/ui/button/ShowMore.tsx';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { binLinks, binOf, binSetting } from './queries.ts';
import classes from './changes.module.css';

const dayChoices = [0, 1, 7, 14, 30, 60, 90, 365];

type Props = { linkUri: string; hrefOf: (linkUri: string) => string };

/** The bin of one link at a time, and for how long bins keep items. */
export function Bins({ linkUri, hrefOf }: Props) {
  const { data: links, error, refetch } = useQuery(binLinks);
  const go = useGo();
  if (error && !links) return <ErrorState title="The links could not be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!links) return <SkeletonRows count={6} height={44} />;
  const [first] = links;
  if (!first) return <EmptyState icon={<IconTrash size={24} stroke={1.5} />} title="You have no links yet." />;
  const shown = links.find((link) => link.linkUri === linkUri) ?? first;
  return (
    <>
      <div className={classes.tools}>
        <NativeSelect
          label="Link"
          data={links.map((link) => ({ value: link.linkUri, label: link.linkName }))}
          value={shown.linkUri}
          onChange={({ currentTarget }) => go(hrefOf(currentTarget.value), { replace: true })}
        />
        <Days />
      </div>
      <Contents key={shown.linkUri} linkUri={shown.linkUri} />
    </>
  );
}

function Days() {
  const client = useQueryClient();
  const { data } = useQuery(binSetting);
  const saving = useMutation({
    mutationFn: (days: number) => send(setBinDays, { days }),
    onError: (error) => notifyError(errorText(error)),
    onSettled: () => client.invalidateQueries({ queryKey: binSetting.queryKey }),
  });
  if (!data) return null;
  const choices = [...new Set([...dayChoices, data.days])].toSorted((one, other) => one - other);
  return (
    <NativeSelect
      label="Keep deleted items on servers without a bin"
      data={choices.map((days) => ({ value: String(days), label: days === 0 ? 'Not at all' : days === 1 ? '1 day' : `${days} days` }))}
      value={String(data.days)}
      disabled={saving.isPending}
      onChange={({ currentTarget }) => saving.mutate(Number(currentTarget.value))}
    />
  );
}

function Contents({ linkUri }: { linkUri: string }) {
  const client = useQueryClient();
  const pages = useInfiniteQuery(binOf(linkUri));
  const { data, error, refetch } = pages;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isEmptying, emptying] = useDisclosure();
  const [isPurging, purging] = useDisclosure();
  const act = useMutation({
    mutationFn: (kind: 'restore' | 'purge' | 'empty') =>
      kind === 'restore'
        ? send(binRestore, { linkUri, itemId: [...chosen] })
        : send(binPurge, { linkUri, itemId: kind === 'empty' ? [] : [...chosen], all: kind === 'empty' }),
    onSuccess: ({ done, refused: [first, ...more] }, kind) => {
      if (first) notifyError(`${itemCount(more.length + 1)} stayed. ${errorText(first.error)}`);
      else notifyDone(`${kind === 'restore' ? 'Restored' : 'Deleted'} ${itemCount(done)}`);
    },
    onError: (failure) => notifyError(errorText(failure)),
    onSettled: () => {
      setChosen(new Set());
      return client.invalidateQueries({ queryKey: ['bin', linkUri] });
    },
  });
  if (error instanceof CallError && error.is('NO_BIN')) {
    return (
      <EmptyState icon={<IconTrash size={24} stroke={1.5} />} title="This storage has a bin of its own.">
        {errorText(error)}
      </EmptyState>
    );
  }
  if (error && !data) return <ErrorState title="The bin could not be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  const [first] = data?.pages ?? [];
  if (!data || !first) return <SkeletonRows count={6} height={44} />;
  const items = data.pages.flatMap((page) => page.items);
  const toggle = (itemId: string): void =>
    setChosen((now) => new Set(now.has(itemId) ? [...now].filter((id) => id !== itemId) : [...now, itemId]));
  return (
    <>
      {first.bin !== 'source' && (
        <p className={classes.note}>
          {first.days === 0
            ? 'This server has no bin, and deleted items are not kept.'
            : `This server has no bin of its own. Sheaf keeps deleted items in a hidden folder on it for ${daysOf(first.days ?? 0)}.`}
          {first.bytes !== undefined && first.bytes > 0 && ` They use ${formatSize(first.bytes)} of its space, as far as known.`}
        </p>
      )}
      {items.length === 0 ? (
        <EmptyState icon={<IconTrash size={24} stroke={1.5} />} title="The bin is empty." />
      ) : (
        <>
          <div className={classes.tools}>
            <Button disabled={chosen.size === 0} loading={act.isPending} onClick={() => act.mutate('restore')}>
              Restore
            </Button>
            {first.canPurge && (
              <>
                <Button disabled={chosen.size === 0 || act.isPending} onClick={purging.open}>
                  Delete permanently
                </Button>
                <Button variant="subtle" disabled={act.isPending} onClick={emptying.open}>
                  Empty this bin
                </Button>
              </>
            )}
          </div>
          <ul aria-label="Deleted items">
            {items.map((item) => (
              <Row key={item.itemId} item={item} isChosen={chosen.has(item.itemId)} onToggle={toggle} />
            ))}
          </ul>
          <ShowMore pages={pages} />
        </>
      )}
      {(isEmptying || isPurging) && (
        <ConfirmDialog
          title={isEmptying ? 'Empty this bin?' : `Delete ${itemCount(chosen.size)} permanently?`}
          confirm="Delete permanently"
          cancel="Cancel"
          onConfirm={() => {
            act.mutate(isEmptying ? 'empty' : 'purge');
            emptying.close();
            purging.close();
          }}
          onClose={() => {
            emptying.close();
            purging.close();
          }}
        >
          {isEmptying ? 'Everything in it' : itemCount(chosen.size)} will be deleted at the storage. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}

type RowProps = { item: BinItem; isChosen: boolean; onToggle: (itemId: string) => void };

function Row({ item: { itemId, name, size, folderPath, deletedAt, until, deletedBy, replaced }, isChosen, onToggle }: RowProps) {
  const about = [
    replaced && 'an earlier version, which was replaced',
    folderPath === undefined ? undefined : `from ${folderPath === '/' ? 'the top folder' : folderPath.slice(1).replaceAll('/', ' / ')}`,
    size === undefined ? undefined : formatSize(size),
    deletedBy === undefined ? undefined : `by ${deletedBy}`,
    until === undefined ? undefined : `kept until ${formatModified(until)}`,
  ].filter((text) => text !== undefined);
  return (
    <li className={classes.row} data-chosen={isChosen}>
      <Checkbox aria-label={`Select ${name}`} checked={isChosen} onChange={() => onToggle(itemId)} />
      <span className={classes.what}>
        {name}
        <small>{about.join(' · ')}</small>
      </span>
      {deletedAt !== undefined && <time dateTime={new Date(deletedAt * 1000).toISOString()}>{formatModified(deletedAt)}</time>}
    </li>
  );
}
