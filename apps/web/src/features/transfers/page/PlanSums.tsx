import type { PlanAction, Transfer } from '@sheaf/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatCount } from '#/features/transfers/figures.ts';
import { actionWords } from '#/features/transfers/plan-words.ts';
import { planPages } from '#/features/transfers/queries.ts';
import { formatDuration, formatSize } from '#/lib/format.ts';
import classes from './transfers.module.css';

const order: readonly PlanAction[] = ['create', 'merge', 'replace', 'rename', 'skip', 'problem'];

/** The plan in one line of numbers: items by action; until it starts also bytes, time, and the room at the destination. */
export function PlanSums({ transfer: { transferId, problems, state } }: { transfer: Transfer }) {
  const { data } = useInfiniteQuery(planPages(transferId, {}, `${state} ${problems}`));
  const plan = data?.pages[0];
  const isPlanned = state === 'planned';
  if (!plan) return <div className={classes.sums} aria-hidden="true" />;
  const counts: Partial<Record<PlanAction, number>> = plan.counts;
  const shown = order.filter((action) => (counts[action] ?? 0) > 0 || action === 'create');
  return (
    <dl className={classes.sums}>
      {shown.map((action) => (
        <div key={action} data-bad={action === 'problem' || undefined}>
          <dt>
            {action === 'problem' && <IconAlertTriangle size={14} stroke={2} aria-hidden="true" />}
            {action === 'problem' && !isPlanned ? 'Left out' : actionWords[action]}
          </dt>
          <dd>{formatCount(counts[action] ?? 0)}</dd>
        </div>
      ))}
      <div>
        <dt>{isPlanned ? 'To send' : 'In all'}</dt>
        <dd>
          {formatSize(plan.bytes)}
          {isPlanned && plan.estimateSeconds !== undefined && <small> about {formatDuration(plan.estimateSeconds)}</small>}
        </dd>
      </div>
      {isPlanned && plan.freeBytes !== undefined && (
        <div data-bad={plan.freeBytes < plan.bytes || undefined}>
          <dt>Free there</dt>
          <dd>{formatSize(plan.freeBytes)}</dd>
        </div>
      )}
    </dl>
  );
}
