import { Button } from '@mantine/core';
import { exportLinks } from '@sheaf/contract';
import { IconDownload } from '@tabler/icons-react';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { Section } from '#/ui/Section.tsx';
import { ExportRclone } from './ExportRclone.tsx';
import { ImportRclone } from './ImportRclone.tsx';

type Props = {
  /** Whether the account has a password, which the export of secrets then requires. */
  hasPassword: boolean;
};

/** Import and export of the account's links. */
export function DataPage({ hasPassword }: Props) {
  return (
    <Page>
      <PageHead title="Export and import" line="Export your links, or import those of rclone. Files stay in their storages either way." />
      <Section title="Settings of all links" text="Names, servers, folders and options as JSON. No passwords and no keys are in it.">
        <Button component="a" href={exportLinks.path} download leftSection={<IconDownload size={16} stroke={1.75} />}>
          Download JSON
        </Button>
      </Section>
      <Section
        title="rclone.conf with secrets"
        text="Every link that rclone can open, passwords and keys included. Links made by signing in at a provider are in it without their sign-in."
      >
        <ExportRclone hasPassword={hasPassword} />
      </Section>
      <Section
        title="Import an rclone.conf"
        text="Choose the file, look at what is in it, and link what you want. The file itself is not kept."
      >
        <ImportRclone />
      </Section>
    </Page>
  );
}
