import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

type Props = {
  /** `note`: the user may go on (yellow). `error`: it did not work (red). */
  kind: 'note' | 'error';
  children: ReactNode;
  /** Stands in a dialog, between fields and buttons. */
  inDialog?: boolean;
};

/** A message at the place it is about; read out when it appears. */
export function Notice({ kind, children, inDialog = false }: Props) {
  const Icon = kind === 'note' ? IconAlertTriangle : IconAlertCircle;
  return (
    <div className={classes.notice} data-kind={kind} data-in-dialog={inDialog || undefined} role="alert">
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
