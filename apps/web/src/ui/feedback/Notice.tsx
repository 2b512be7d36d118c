import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './Notice.module.css';

type Props = {
  /** `note`: the user may go on (yellow). `error`: it failed (red). */
  kind: 'note' | 'error';
  children: ReactNode;
  /** In a dialog, between fields and buttons. */
  inDialog?: boolean;
};

/** A message next to its subject; announced by screen readers. */
export function Notice({ kind, children, inDialog = false }: Props) {
  const Icon = kind === 'note' ? IconAlertTriangle : IconAlertCircle;
  const shown = useRef<HTMLDivElement>(null);
  const told = useRef<string>(undefined);
  useEffect(() => {
    const text = shown.current?.textContent ?? '';
    // In a low window a new message would lie behind the buttons. What the dialog opens with moves nothing.
    if (inDialog && text !== told.current && (kind === 'error' || told.current !== undefined))
      shown.current?.scrollIntoView({ block: 'nearest' });
    told.current = text;
  });
  return (
    <div ref={shown} className={classes.notice} data-kind={kind} data-in-dialog={inDialog || undefined} role="alert">
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
