import { NativeSelect, UnstyledButton } from '@mantine/core';
import { type VerifyRule, verifyRules } from '@sheaf/contract';
import { IconChevronDown, IconGauge, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { LimitSelect } from '#/features/transfers/LimitSelect.tsx';
import { verifyWords } from '#/features/transfers/plan-words.ts';
import type { RunOptions } from '#/lib/transfers/begin.ts';
import classes from './TargetDialog.module.css';

interface Props {
  readonly options: RunOptions;
  readonly disabled: boolean;
  readonly onChange: (options: RunOptions) => void;
}

/** How fast a transfer may be, and how its copies are verified; folded away at first. */
export function MoreOptions({ options, disabled, onChange }: Props) {
  const { verify = 'auto' } = options;
  const [isOpen, setOpen] = useState(false);
  const { verify: _, ...withoutVerify } = options;
  const { bytesPerSecond: __, ...withoutLimit } = options;
  return (
    <div className={classes.more}>
      <UnstyledButton className={classes.unfold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronDown size={16} stroke={2} aria-hidden="true" />
        More options
      </UnstyledButton>
      {isOpen && (
        <>
          <label className={classes.rule}>
            <IconShieldCheck size={18} stroke={1.75} aria-hidden="true" />
            <span>Verify copies</span>
            <NativeSelect
              size="xs"
              value={verify}
              disabled={disabled}
              data={verifyRules.map((value) => ({ value, label: verifyWords[value] }))}
              onChange={({ currentTarget: { value } }) =>
                onChange(value === 'auto' ? withoutVerify : { ...options, verify: value as VerifyRule })
              }
            />
          </label>
          <label className={classes.rule}>
            <IconGauge size={18} stroke={1.75} aria-hidden="true" />
            <span>Limit the speed</span>
            <LimitSelect
              value={options.bytesPerSecond}
              disabled={disabled}
              onChange={(bytesPerSecond) => onChange({ ...withoutLimit, ...(bytesPerSecond !== undefined && { bytesPerSecond }) })}
            />
          </label>
        </>
      )}
    </div>
  );
}
