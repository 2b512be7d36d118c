import { Button } from '@mantine/core';
import type { OperatedProvider } from '@sheaf/contract';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { errorText, errorAnswerText } from '#/lib/http/error-text.ts';
import { useTestProvider } from './queries.ts';
import classes from './operator.module.css';

/** One provider: its settings and scopes, and a button to test them. */
export function ProviderRow({ provider }: { provider: OperatedProvider }) {
  const { title, isSetUp, given, missing, scopes, closed } = provider;
  const test = useTestProvider();
  return (
    <li className={classes.provider} aria-label={title}>
      <img src={`/images/logos/${provider.provider.toLowerCase()}.svg`} alt="" width={32} height={32} />
      <div className={classes.facts}>
        <h2>{title}</h2>
        {closed !== undefined && <p>{closed}</p>}
        <p>
          <span className={classes.word} data-good={isSetUp || undefined}>
            {isSetUp ? 'Set up' : 'Not set up'}
          </span>
          {given.map((name) => (
            <code key={name} data-given>
              {name}
            </code>
          ))}
          {missing.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </p>
        {scopes.length > 0 && (
          <p className={classes.scopes}>
            <span>Asks for</span>
            {scopes.map((scope) => (
              <code key={scope}>{scope}</code>
            ))}
          </p>
        )}
        <div role="status">
          {test.isSuccess && test.data.isValid && (
            <p className={classes.good}>
              <IconCircleCheck size={16} stroke={1.75} aria-hidden="true" />
              {title} answers and knows this application.
            </p>
          )}
          {(test.error ?? (test.data?.isValid === false ? test.data : undefined)) && (
            <p className={classes.bad}>
              <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
              {test.error ? errorText(test.error) : test.data?.messageCode ? errorAnswerText(test.data) : 'The settings do not work.'}
            </p>
          )}
        </div>
      </div>
      {isSetUp && (
        <Button size="xs" loading={test.isPending} onClick={() => test.mutate(provider.provider)} aria-label={`Test ${title}`}>
          Test
        </Button>
      )}
    </li>
  );
}
