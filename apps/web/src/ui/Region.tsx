import type { ReactNode } from 'react';

/** A named section of a page: a landmark for screen readers, with an id as link target. */
export function Region({ id, name, children }: { id: string; name: string; children: ReactNode }) {
  return (
    <section id={id} aria-label={name} data-region={id}>
      {children}
    </section>
  );
}
