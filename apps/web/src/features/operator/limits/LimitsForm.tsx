import { Button, TextInput } from '@mantine/core';
import type { LimitName, Limits } from '@sheaf/contract';
import { type FormEvent, useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { limitFields, limitNames, limitsOf, problemOf, textsOf } from './limit-fields.ts';
import { useSetLimits } from './queries.ts';
import classes from './limits.module.css';

interface Props {
  /** Absent: everyone's. */
  readonly accountId?: string;
  readonly limits: Limits;
  /** The meaning of an empty field, in words; absent: that of its preset. */
  readonly empty?: string;
  readonly onSaved?: () => void;
}

/** The fields of all limits. */
export function LimitsForm({ accountId, limits, empty, onSaved }: Props) {
  const [texts, setTexts] = useState(textsOf(limits));
  const [isTried, setTried] = useState(false);
  const save = useSetLimits();
  const problems = limitNames.filter((name) => problemOf(name, texts[name]) !== undefined);
  const isChanged = limitNames.some((name) => limitsOf(texts)[name] !== limits[name]);
  const type = (name: LimitName, text: string): void => setTexts({ ...texts, [name]: text });
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (problems.length > 0) return;
    save.mutate(
      { accountId, limits: limitsOf(texts) },
      {
        onSuccess: () => {
          notifyDone('The limits are in force.');
          onSaved?.();
        },
      },
    );
  }
  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      {limitNames.map((name) => (
        <TextInput
          key={name}
          label={limitFields[name].label}
          description={limitFields[name].description}
          placeholder={empty ?? limitFields[name].preset}
          inputMode={limitFields[name].unit === 1 ? 'numeric' : 'decimal'}
          value={texts[name]}
          error={isTried ? problemOf(name, texts[name]) : undefined}
          onChange={(event) => type(name, event.currentTarget.value)}
        />
      ))}
      {save.error && (
        <p role="alert" className={classes.bad}>
          {errorText(save.error)}
        </p>
      )}
      <Button type="submit" variant="filled" loading={save.isPending} disabled={!isChanged && problems.length === 0}>
        Save limits
      </Button>
    </form>
  );
}
