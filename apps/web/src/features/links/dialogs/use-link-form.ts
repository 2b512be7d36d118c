import { type SavedLink, secretMask } from '@sheaf/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError } from '#/lib/http/call-error.ts';
import { useSaveLink } from '../queries.ts';
import { type Failure, failureOfError, failureOfVerdict } from './failures.ts';
import type { Form, Opened, Setting, Stage, Values } from './fields/field.ts';
import { initialValues, typedOver } from './fields/form-values.ts';

/** State of a dialog: its values, the outcome of the last save, and its actions. */
export interface LinkForm {
  readonly form: Form;
  readonly setting: Setting;
  readonly values: Values;
  readonly failure: Failure | undefined;
  readonly busy: boolean;
  /** What is being waited for, as a sentence. */
  readonly wait: string | undefined;
  /** Text of the save button, from the mode and the outcome of the last save. */
  readonly submitLabel: string;
  readonly change: (name: string, value: string) => void;
  /** Saves with these values added; a save that answers a question skips the check. */
  readonly submit: (more?: Values) => void;
  /** Cancels the running save, here and at the server; keeps the last failure. */
  readonly cancel: () => void;
  /** Clears the last failure. */
  readonly retract: () => void;
}

/** Holds the values of a link dialog. Editing a value clears the last failure; unmounting cancels a running save. */
export function useLinkForm(form: Form, setting: Setting, opened: Opened, onSaved: (link: SavedLink) => void): LinkForm {
  const [values, setValues] = useState(() => initialValues(form, setting, opened));
  const [known, setKnown] = useState(opened);
  const [again, setAgain] = useState(false);
  const [stage, setStage] = useState<Stage>('checking');
  const underWay = useRef<AbortController>(undefined);
  const { mutate, reset, data, error, isPending } = useSaveLink();
  const failure = error
    ? failureOfError(form, setting.source, error, setting.mode)
    : data !== undefined && 'refused' in data
      ? failureOfVerdict(form, data.refused)
      : undefined;
  const cancel = useCallback(() => {
    if (underWay.current === undefined) return;
    underWay.current.abort();
    underWay.current = undefined;
    reset();
  }, [reset]);
  useEffect(() => () => underWay.current?.abort(), []);

  return {
    form,
    setting,
    values,
    failure: failure && atSecret(failure, error, values),
    busy: isPending || (data !== undefined && 'saved' in data),
    wait: isPending ? waitText(stage, values, setting.source.title) : undefined,
    submitLabel: failure?.canContinue === true ? 'Continue Anyway' : setting.mode === 'edit' ? 'Save Changes' : form.createLabel,
    change: (name, value) => {
      setValues((before) => ({ ...without(before, name), [name]: typedOver(before[name] ?? '', value) }));
      setAgain(false);
      reset();
    },
    submit: (more = {}) => {
      const named = (name: string): void => {
        setKnown((before) => ({ ...before, name }));
        setValues((before) => ({ ...before, name }));
      };
      const linksAgain = again || failure?.linksAgain === true;
      const now = { ...values, ...more };
      const attempt = new AbortController();
      const { signal } = attempt;
      underWay.current = attempt;
      const insist = failure?.canContinue === true && Object.keys(more).every((name) => name === 'login');
      setAgain(linksAgain);
      setValues(now);
      mutate(
        { form, setting, opened: known, values: now, insist, again: linksAgain, named, stage: setStage, signal },
        {
          onSuccess: (outcome) => ('saved' in outcome && !signal.aborted ? onSaved(outcome.saved) : undefined),
          onSettled: () => {
            if (underWay.current === attempt) underWay.current = undefined;
          },
        },
      );
    },
    cancel,
    retract: () => {
      setAgain(false);
      reset();
    },
  };
}

/** Drops an accepted key or certificate when the server changes. */
function without(values: Values, changed: string): Values {
  if (changed !== 'server') return values;
  const { acceptedHostKey: _key, acceptedCertificate: _certificate, ...others } = values;
  return others;
}

/** Marks the secret to enter again: the first field that still holds its mask. */
function atSecret(failure: Failure, error: Error | null, values: Values): Failure {
  if (!(error instanceof CallError) || !error.is('SECRETS_NEEDED')) return failure;
  const field = Object.keys(values).find((name) => values[name] === secretMask);
  return field === undefined ? failure : { ...failure, field };
}

function waitText(stage: Stage, values: Values, title: string): string {
  const server = (values['server'] || values['url'] || values['host'] || title).trim();
  if (stage === 'saving') return 'Saving the link…';
  return stage === 'checking' ? `Checking the connection to ${server}…` : `Checking the connection to ${server} and saving the link…`;
}
