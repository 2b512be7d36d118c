import { Button } from '@mantine/core';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { inOrg, orgHome } from '#/lib/org-address.ts';
import { Page } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { SourceGrid } from './SourceGrid.tsx';

/** The link picker: every linkable type leads to its dialog. */
export function PickerPage() {
  const { orgOid } = useQueryParams();
  return (
    <Page>
      <SourceGrid
        orgOid={orgOid}
        addressOf={(path) => inOrg(path, orgOid)}
        after={
          <Button component={PathLink} href={orgOid === undefined ? '/account/mysheaf' : orgHome} variant="subtle" mt={18}>
            Cancel
          </Button>
        }
      >
        <h1>Link storage</h1>
        <p>
          {orgOid === undefined
            ? 'Choose where your files are. They stay where they are.'
            : "Choose where your organisation's files are. Every member will see them."}
        </p>
      </SourceGrid>
    </Page>
  );
}
