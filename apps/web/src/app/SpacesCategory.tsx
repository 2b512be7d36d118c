import { FolderField } from '#/features/picker/FolderField.tsx';
import { SpacesPage } from '#/features/spaces/SpacesPage.tsx';

/** The spaces, whose dialogs choose folders. */
export function SpacesCategory() {
  return <SpacesPage FolderField={FolderField} />;
}
