import type { SavedLink } from '@sheaf/contract';
import { useState } from 'react';
import { useSaveLink } from '../queries.ts';
import { type Failure, failureOfError, failureOfVerdict } from './failures.ts';
import type { Form, Opened, Setting, Values } from './field.ts';
import { initialValues, typedOver } from './form-values.ts';

/** What a dialog's fields and buttons need: the values, how the last save went, and the ways on. */
export interface LinkForm {
  readonly form: Form;
  readonly setting: Setting;
  readonly values: Values;
  readonly failure: Failure | undefined;
  readonly busy: boolean;
  /** What the button that saves reads: it follows from the mode and from how the last save went. */
  readonly submitLabel: string;
  readonly change: (name: string, value: string) => void;
  /** Saves, with these values besides; a save that follows a question skips the check. */
  readonly submit: (more?: Values) => void;
}

/** Holds the values of a link dialog. Editing any of them takes the last failure back. */
export function useLinkForm(form: Form, setting: Setting, opened: Opened, onSaved: (link: SavedLink) => void): LinkForm {
  const [values, setValues] = useState(() => initialValues(form, setting, opened));
  const [known, setKnown] = useState(opened);
  const { mutate, reset, data, error, isPending } = useSaveLink();
  const failure = error
    ? failureOfError(form, setting.source, error)
    : data !== undefined && 'refused' in data
      ? failureOfVerdict(form, data.refused)
      : undefined;

  return {
    form,
    setting,
    values,
    failure,
    busy: isPending || (data !== undefined && 'saved' in data),
    submitLabel: failure?.canContinue === true ? 'Continue Anyway' : setting.mode === 'edit' ? 'Save Changes' : form.createLabel,
    change: (name, value) => {
      setValues((before) => ({ ...before, [name]: typedOver(before[name] ?? '', value) }));
      reset();
    },
    submit: (more = {}) => {
      const named = (name: string): void => {
        setKnown((before) => ({ ...before, name }));
        setValues((before) => ({ ...before, name }));
      };
      const save = { form, setting, opened: known, values: { ...values, ...more }, insist: failure?.canContinue === true, named };
      mutate(save, { onSuccess: (outcome) => ('saved' in outcome ? onSaved(outcome.saved) : undefined) });
    },
  };
}
