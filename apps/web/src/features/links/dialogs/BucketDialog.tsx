import type { Source } from '@sheaf/contract';
import { useMemo } from 'react';
import { logoUrl } from '../rows.ts';
import { SourceLogo } from '../SourceLogo.tsx';
import type { Setting } from './fields/field.ts';
import { PlainForm } from './fields/PlainForm.tsx';
import { bucketForm } from './forms/bucket.ts';
import type { Targets } from './targets.ts';

type Props = {
  source: Source;
  /** The pending grant; without it the dialog asks for a service account's key. */
  stateId: string | undefined;
  handoffToken: string | undefined;
  orgOid: string | undefined;
  targets: Targets;
  onLeave: (href: string) => void;
};

/** Asks for the bucket of a Google Cloud link. */
export function BucketDialog({ source, stateId, handoffToken, orgOid, targets, onLeave }: Props) {
  const form = useMemo(
    () => bucketForm({ ...(stateId !== undefined && { stateId }), ...(handoffToken !== undefined && { handoffToken }) }),
    [stateId, handoffToken],
  );
  const setting: Setting = { source, mode: 'create', ...(orgOid !== undefined && { orgOid }) };
  return (
    <PlainForm
      form={form}
      setting={setting}
      opened={{ name: '' }}
      frame={{
        title: `Link ${source.title}`,
        logo: <SourceLogo src={logoUrl(source.provider)} size={40} />,
        asPage: true,
        onClose: () => onLeave(targets.cancel),
      }}
      onSaved={(saved) => onLeave(handoffToken === undefined ? targets.saved(saved) : `/link/auth/desktopsuccess/${source.provider}`)}
      onUnchanged={() => onLeave(targets.cancel)}
    />
  );
}
