import { NativeSelect, UnstyledButton } from '@mantine/core';
import { type VerifyRule, verifyRules } from '@sheaf/contract';
import { IconChevronDown, IconGauge, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { verifyWords } from '#/features/transfers/plan-words.ts';
import { formatSize } from '#/lib/format.ts';
import type { RunOptions } from '#/lib/transfers/begin.ts';
import classes from './TargetDialog.module.css';

/** Speeds that can be chosen, in bytes a second. */
const limits = [0.5, 1, 2, 5, 10, 20, 50].map((mebibytes) => mebibytes * 1024 * 1024);

interface Props {
  readonly options: RunOptions;
  readonly disabled: boolean;
  readonly onChange: (options: RunOptions) => void;
}

/** How fast a transfer may be, and how its copies are verified; folded away at first. */
export function MoreOptions({ options, disabled, onChange }: Props) {
  const { verify = 'auto', bytesPerSecond = 0 } = options;
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
            <NativeSelect
              size="xs"
              value={String(bytesPerSecond)}
              disabled={disabled}
              data={[
                { value: '0', label: 'No limit' },
                ...limits.map((value) => ({ value: String(value), label: `${formatSize(value)}/s` })),
              ]}
              onChange={({ currentTarget: { value } }) =>
                onChange(value === '0' ? withoutLimit : { ...options, bytesPerSecond: Number(value) })
              }
            />
          </label>
        </>
      )}
    </div>
  );
}
