import { Checkbox, NativeSelect, PasswordInput, TextInput, Textarea } from '@mantine/core';
import { secretMask } from '@sheaf/contract';
import { IconChevronDown, IconEye, IconEyeOff } from '@tabler/icons-react';
import type { Field } from './field.ts';
import classes from '../dialogs.module.css';

type Props = {
  field: Field;
  value: string;
  error?: string | undefined;
  disabled: boolean;
  /** Focuses the field when it appears. */
  autoFocus: boolean;
  onChange: (value: string) => void;
};

/** One field of a link dialog, with its required mark, hint and error. */
export function LinkField({ field, value, error, disabled, autoFocus, onChange }: Props) {
  const { name, label, hint, required = false, readOnly = false } = field;
  const common = {
    name,
    label,
    disabled,
    readOnly,
    error,
    // The style sheet adds the mark, so that the label's text stays clean.
    labelProps: { 'data-required': required && !readOnly, className: classes.label },
    'aria-required': required,
    description: error === undefined ? hint : undefined,
    autoComplete: 'off',
    spellCheck: false,
    ...(autoFocus ? { autoFocus, 'data-autofocus': true } : {}),
  };
  const typed = (event: { currentTarget: { value: string } }): void => onChange(event.currentTarget.value);

  if (field.kind === 'switch') {
    const checked = value === field.on;
    return (
      <Checkbox
        name={name}
        label={label}
        description={hint}
        disabled={disabled}
        checked={checked}
        onChange={() => onChange(checked ? field.off : field.on)}
      />
    );
  }
  if (field.kind === 'secret') {
    const stored = value === secretMask;
    return (
      <PasswordInput
        {...common}
        autoComplete="new-password"
        aria-invalid={error !== undefined}
        value={value}
        onChange={typed}
        {...(stored ? { visible: false, rightSection: <span /> } : {})}
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0, 'aria-hidden': false }}
        visibilityToggleIcon={({ reveal }) => (reveal ? <IconEyeOff size={16} stroke={1.75} /> : <IconEye size={16} stroke={1.75} />)}
      />
    );
  }
  if (field.kind === 'area') return <Textarea {...common} rows={5} placeholder={field.placeholder} value={value} onChange={typed} />;
  if (field.kind === 'text') return <TextInput {...common} placeholder={field.placeholder} value={value} onChange={typed} />;
  if (readOnly) return <TextInput {...common} value={value} onChange={typed} />;
  return (
    <NativeSelect
      {...common}
      rightSection={<IconChevronDown size={16} stroke={1.75} />}
      rightSectionPointerEvents="none"
      data={[...field.choices]}
      value={value}
      onChange={typed}
    />
  );
}
