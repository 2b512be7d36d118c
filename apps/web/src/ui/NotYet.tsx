import { IconPlant2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from './StatePanel.tsx';

/** Stands where a part of the product will be: says so, says what it will do, and leads back. */
export function NotYet({ title, text, actions }: { title: string; text: string; actions?: ReactNode }) {
  return (
    <EmptyState icon={<IconPlant2 size={26} stroke={1.5} />} title={title} actions={actions}>
      <p>{text}</p>
      <p>This is not available yet.</p>
    </EmptyState>
  );
}
