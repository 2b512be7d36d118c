import { NativeSelect } from '@mantine/core';
import { formatSize } from '#/lib/format.ts';

/** Speeds that can be chosen, in bytes a second. */
const limits = [0.5, 1, 2, 5, 10, 20, 50].map((mebibytes) => mebibytes * 1024 * 1024);

interface Props {
  /** For screen readers, where no text beside it says what it is. */
  readonly label?: string;
  /** Bytes a second; undefined without a limit. */
  readonly value: number | undefined;
  readonly disabled: boolean;
  readonly onChange: (bytesPerSecond: number | undefined) => void;
}

/** Chooses the most bytes a second of a transfer. */
export function LimitSelect({ label, value, disabled, onChange }: Props) {
  const offered = value === undefined || limits.includes(value) ? limits : [...limits, value].sort((one, other) => one - other);
  return (
    <NativeSelect
      size="xs"
      {...(label !== undefined && { 'aria-label': label })}
      value={String(value ?? 0)}
      disabled={disabled}
      data={[{ value: '0', label: 'No limit' }, ...offered.map((limit) => ({ value: String(limit), label: `${formatSize(limit)}/s` }))]}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '0' ? undefined : Number(currentTarget.value))}
    />
  );
}
