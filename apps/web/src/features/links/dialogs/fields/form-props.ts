import type { SavedLink } from '@sheaf/contract';
import type { ComponentProps } from 'react';
import type { Dialog } from '#/ui/dialog/Dialog.tsx';
import type { Form, Opened, Setting } from './field.ts';

/** Props of a form's component once all data is loaded. */
export interface FormProps {
  form: Form;
  setting: Setting;
  opened: Opened;
  frame: Pick<ComponentProps<typeof Dialog>, 'title' | 'logo' | 'asPage' | 'onClose'>;
  onSaved: (link: SavedLink) => void;
  /** Leaves a dialog without changes. */
  onUnchanged: () => void;
}
