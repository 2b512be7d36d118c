import { Button, PasswordInput, Textarea } from '@mantine/core';
import type { WayKind } from './ways.ts';

type FieldProps = {
  kind: WayKind;
  /** Of the field for the passphrase. */
  label: string;
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
};

/** Field for what opens a vault: its passphrase, or its recovery words. */
export function WayField({ kind, label, text, error, onChange }: FieldProps) {
  // A dialog looks for the attribute, a page for the property.
  const shared = { 'data-autofocus': true, autoFocus: true, autoComplete: 'off', value: text, error } as const;
  return kind === 'passphrase' ? (
    <PasswordInput {...shared} label={label} onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <Textarea
      {...shared}
      label="Recovery words"
      description="The twelve words; for a folder made by rclone, its password, and password2 on a second line."
      autosize
      minRows={2}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type SwitchProps = { kind: WayKind; onSwitch: (kind: WayKind) => void; disabled?: boolean; size?: 'xs' };

/** Button that asks for the recovery words in place of the passphrase, and back. */
export function WaySwitch({ kind, onSwitch, ...button }: SwitchProps) {
  return (
    <Button {...button} variant="subtle" onClick={() => onSwitch(kind === 'passphrase' ? 'words' : 'passphrase')}>
      {kind === 'passphrase' ? 'Use recovery words' : 'Use the passphrase'}
    </Button>
  );
}
