import { useState } from 'react';
import type { ShareTermsProps } from '#/lib/sharing/share-terms.ts';
import { type ShareDraft, draftOf, isComplete, newShare, termsOf } from './share-link.ts';
import { ShareFields } from './ShareFields.tsx';

/** The fields of a share that another feature makes, once it has its item. */
export function ShareTerms({ onChange }: ShareTermsProps) {
  const [draft, setDraft] = useState<ShareDraft>(draftOf(newShare('', '')));
  const [openedAt] = useState(Date.now);
  return (
    <ShareFields
      draft={draft}
      onChange={(part) => {
        const next = { ...draft, ...part };
        setDraft(next);
        onChange(isComplete(next, openedAt) ? termsOf(next) : undefined);
      }}
    />
  );
}
