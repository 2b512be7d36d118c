import type { Link } from '#/features/links/rows.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { loadChunk } from '#/lib/load-chunk.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

/** Fixes a link that needs attention; what that takes is loaded when somebody wants it. */
export function fixLate(link: Link, edit: () => void, orgOid?: string): void {
  loadChunk(() => import('./fix.ts')).then(
    ({ fix }) => fix(link, edit, orgOid),
    (error: unknown) => notifyError(errorText(error)),
  );
}
