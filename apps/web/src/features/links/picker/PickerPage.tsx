import { Button } from '@mantine/core';
import { Page } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { SourceGrid } from './SourceGrid.tsx';

/** The link picker: every type that can be linked leads to its dialog. */
export function PickerPage() {
  return (
    <Page>
      <SourceGrid>
        <h1>Link storage</h1>
        <p>Choose where your files are. They stay where they are.</p>
      </SourceGrid>
      <Button component={PathLink} href="/account/mysheaf" variant="subtle" mt={18}>
        Cancel
      </Button>
    </Page>
  );
}
