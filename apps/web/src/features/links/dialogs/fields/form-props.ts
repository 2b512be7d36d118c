import type { SavedLink } from '@sheaf/contract';
import type { ComponentProps } from 'react';
import type { Dialog } from '#/ui/dialog/Dialog.tsx';
import type { Form, Opened, Setting } from './field.ts';

/** What the component of a form is given once everything it shows is known. */
export interface FormProps {
  form: Form;
  setting: Setting;
  opened: Opened;
  frame: Pick<ComponentProps<typeof Dialog>, 'title' | 'logo' | 'asPage' | 'onClose'>;
  onSaved: (link: SavedLink) => void;
  /** Leaves a dialog in which nothing was changed. */
  onUnchanged: () => void;
}
