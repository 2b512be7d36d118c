import { IconArrowRight, IconCopy } from '@tabler/icons-react';
import type { Aim } from './use-row-drag.ts';
import classes from './transfers.module.css';

/** Beside the pointer: what a drop here does. */
export function DropHint({ aim: { kind, name, x, y } }: { aim: Aim }) {
  const Icon = kind === 'move' ? IconArrowRight : IconCopy;
  return (
    <div className={classes.hint} style={{ left: Math.min(x + 16, innerWidth - 260), top: y + 34 }} aria-hidden="true">
      <Icon size={14} stroke={2} />
      <b>
        {kind === 'move' ? 'Move' : 'Copy'} to {name}
      </b>
      {kind === 'move' && (
        <span>
          hold <kbd>{isMac() ? '⌥' : 'Ctrl'}</kbd> to copy
        </span>
      )}
    </div>
  );
}

const isMac = (): boolean => navigator.userAgent.includes('Mac');
