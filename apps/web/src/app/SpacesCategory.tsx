import { FolderField } from '#/features/picker/FolderField.tsx';
import { SpacesPage } from '#/features/spaces/SpacesPage.tsx';

/** The Spaces and the dialogs that choose their folders. */
export function SpacesCategory() {
  return <SpacesPage FolderField={FolderField} />;
}
