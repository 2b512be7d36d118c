import { Button, NativeSelect } from '@mantine/core';
import type { PlanItem, Transfer } from '@sheaf/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { folderOf, lastName, verbs } from '#/lib/transfers/words.ts';
import { ShowMore } from '#/ui/button/ShowMore.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { formatCount, itemsText } from './figures.ts';
import { type DecisionRule, decisionRules, ruleWords, rulesFor, sayOf } from './plan-words.ts';
import { planPages, type useAct, useDecide } from './queries.ts';
import classes from './Decisions.module.css';

/** The items of a plan that need a decision, with a rule for all and one for each. Decided ones stay in view with what was chosen. */
export function Decisions({ transfer, inDialog = false }: { transfer: Transfer; inDialog?: boolean }) {
  const { transferId, state } = transfer;
  const [decided, setDecided] = useState<ReadonlyMap<string, DecisionRule>>(new Map());
  const known = useRef(decided);
  const decide = useDecide();
  const pages = useInfiniteQuery({
    ...planPages(transferId, { only: 'problem' }, 'decisions'),
    // What was decided is no problem any more: the next page begins behind those that are left.
    getNextPageParam: ({ hasMore }, loaded) =>
      hasMore ? loaded.flatMap(({ items }) => items).filter(({ itemId }) => !known.current.has(itemId)).length : undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  const { data, error, refetch } = pages;
  const wasPlanning = useRef(false);
  useEffect(() => {
    if (wasPlanning.current && state === 'planned') void refetch();
    wasPlanning.current = state === 'planning';
  }, [state, refetch]);
  if (error && !data) return <ErrorState title="The plan cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} height={48} tile={22} />;
  const items = unique(data.pages.flatMap((page) => page.items));

  const choose = (rule: DecisionRule, chosen: readonly PlanItem[], forAll: boolean): void =>
    decide.mutate(
      { transferId, conflict: rule, ...(!forAll && { itemId: chosen.map(({ itemId }) => itemId) }) },
      {
        onSuccess: () => {
          const now = new Map(known.current);
          for (const { itemId } of chosen) now.set(itemId, rule);
          known.current = now;
          setDecided(now);
        },
      },
    );
  const decidable = items.filter((item) => rulesFor(item).length > 0);
  const rules = new Set(decidable.map(({ itemId }) => decided.get(itemId)));
  const [common] = rules;

  return (
    <section className={classes.decisions} aria-label="Decisions" data-in-dialog={inDialog || undefined}>
      {decidable.length > 0 && (
        <label className={classes.all}>
          <span>For all whose name is taken</span>
          <NativeSelect
            size="xs"
            value={rules.size === 1 ? (common ?? '') : ''}
            disabled={decide.isPending}
            data={[{ value: '', label: 'Choose…', disabled: true }, ...decisionRules.map((value) => ({ value, label: ruleWords[value] }))]}
            onChange={(event) => choose(event.currentTarget.value as DecisionRule, decidable, true)}
          />
        </label>
      )}
      <ul className={classes.list} aria-label="Items to decide">
        {items.map((item) => (
          <Row
            key={item.itemId}
            item={item}
            rule={decided.get(item.itemId)}
            isBusy={decide.isPending}
            onChoose={(rule) => choose(rule, [item], false)}
          />
        ))}
      </ul>
      <ShowMore pages={pages} className={classes.more} />
    </section>
  );
}

type RowProps = { item: PlanItem; rule: DecisionRule | undefined; isBusy: boolean; onChoose: (rule: DecisionRule) => void };

function Row({ item, rule, isBusy, onChoose }: RowProps) {
  const { from, fileType, size } = item;
  const name = lastName(from);
  const rules = rulesFor(item);
  const folder = folderOf(from);
  return (
    <li className={classes.row} data-open={(rule === undefined && rules.length > 0) || undefined}>
      <FileIcon kind={fileKindOf({ name, fileType })} />
      <div className={classes.what}>
        <b title={from}>{name}</b>
        {folder !== '' && <small>{folder}</small>}
      </div>
      <span className={classes.say}>
        {rule === undefined && <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />}
        {sayOf(item)}
        {size !== undefined && `, ${formatSize(size)}`}
      </span>
      {rules.length === 0 ? (
        <span className={classes.out}>Left out</span>
      ) : (
        <NativeSelect
          size="xs"
          aria-label={`What to do with ${name}`}
          value={rule ?? ''}
          disabled={isBusy}
          data={[{ value: '', label: 'Choose…', disabled: true }, ...rules.map((value) => ({ value, label: ruleWords[value] }))]}
          onChange={(event) => onChoose(event.currentTarget.value as DecisionRule)}
        />
      )}
    </li>
  );
}

/** Starts a plan; says how many items would be left out for lack of a decision. */
export function StartButton({ transfer: { kind, problems, state }, act }: { transfer: Transfer; act: ReturnType<typeof useAct> }) {
  return (
    <Button
      variant={problems === 0 ? 'filled' : 'default'}
      loading={act.isPending && act.variables === 'start'}
      disabled={act.isPending || state !== 'planned'}
      onClick={() => act.mutate('start')}
    >
      {problems > 0 ? `Start without ${itemsText(problems)}` : `Start ${verbs[kind].now.toLowerCase()}`}
    </Button>
  );
}

/** How many decisions are left, as a sentence. */
export const leftText = ({ problems, kind }: Pick<Transfer, 'problems' | 'kind'>): string =>
  problems === 0 ? `Nothing has been ${verbs[kind].past} yet.` : `${formatCount(problems)} left to decide.`;

const unique = (items: readonly PlanItem[]): readonly PlanItem[] => [...new Map(items.map((item) => [item.itemId, item])).values()];
