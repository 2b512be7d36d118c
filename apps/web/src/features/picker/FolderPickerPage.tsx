import { readPickerQuery } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { Gate } from '#/ui/feedback/Gate.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page } from '#/ui/PageHead.tsx';
import { FolderPicker } from './FolderPicker.tsx';
import { handoff } from './queries.ts';

/** A program's request for a folder: the picker, or its outcome. */
export function FolderPickerPage() {
  const asked = readPickerQuery(useQueryParams());
  const { data, error, refetch } = useQuery({ ...handoff(asked?.processToken ?? ''), enabled: asked !== undefined });
  if (!asked) return <Gate whole={false} title="Select Folder" sentence="Error: Missing required configuration." />;
  if (error) {
    return (
      <Page>
        <ErrorState title="No folder can be chosen here" message={errorText(error)} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (!data) {
    return (
      <Page>
        <SkeletonRows count={5} height={40} tile={24} />
      </Page>
    );
  }
  if (data.state === 'completed') return <Gate whole={false} title="Thank you" sentence="You can close this page now." />;
  if (data.state === 'canceled')
    return <Gate whole={false} title="The action has been canceled." sentence="You can close this page now." />;
  return <FolderPicker {...asked} name={data.name} />;
}
