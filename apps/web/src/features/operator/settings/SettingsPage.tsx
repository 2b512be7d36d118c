import { TextInput } from '@mantine/core';
import type { OperatedSetting, SettingOrigin } from '@sheaf/contract';
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { adviceTexts } from './advice.ts';
import { settingList } from './queries.ts';
import shared from '../sections.module.css';
import classes from './settings.module.css';

/** For the operator: each setting, where it comes from, and what is wrong with it. */
export function SettingsPage() {
  const { data, error, refetch } = useQuery(settingList());
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = data?.settings.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted)) ?? [];
  const groups = [
    { title: 'Needs attention', settings: found.filter(({ advice }) => advice !== undefined) },
    { title: 'Set', settings: found.filter(({ advice, origin }) => advice === undefined && origin !== 'preset') },
    { title: 'At their presets', settings: found.filter(({ advice, origin }) => advice === undefined && origin === 'preset') },
  ].filter(({ settings }) => settings.length > 0);
  return (
    <Page>
      <PageHead title="Settings" line="Settings are read when Sheaf starts. Change them where they come from, and start it again." />
      {error && <ErrorState title="The settings could not be shown" message={errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={8} height={64} />}
      {data && data.unknown.length > 0 && (
        <p className={`${classes.advice} ${classes.unknown}`}>
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
          <span>These names look like settings, but are none: {data.unknown.join(', ')}.</span>
        </p>
      )}
      {data && (
        <TextInput
          type="search"
          aria-label="Search settings"
          placeholder="Name or meaning"
          className={classes.search ?? ''}
          leftSection={<IconSearch size={16} stroke={1.75} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {data && found.length === 0 && <EmptyState title="No such setting">No setting contains "{typed.trim()}".</EmptyState>}
      {groups.map(({ title, settings }) => (
        <section key={title} aria-label={title} className={shared.section}>
          <h2>{title}</h2>
          <ul className={shared.list}>
            {settings.map((setting) => (
              <SettingRow key={setting.name} setting={setting} />
            ))}
          </ul>
        </section>
      ))}
    </Page>
  );
}

const origins: Readonly<Record<SettingOrigin, string>> = { environment: 'From the environment', file: 'From a file', preset: 'Preset' };

function SettingRow({ setting }: { setting: OperatedSetting }) {
  const { name, about, origin, advice, effective } = setting;
  return (
    <li className={classes.row}>
      <code>{name}</code>
      <div className={classes.facts}>
        <p>
          <b>{valueOf(setting)}</b>
          {effective !== undefined && <span>, here {effective}</span>}
          <small>{origins[origin]}</small>
        </p>
        {advice !== undefined && (
          <p className={classes.advice}>
            <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
            <span>{adviceTexts[advice]}</span>
          </p>
        )}
        <p className={classes.about}>{about}</p>
      </div>
    </li>
  );
}

function valueOf({ value, isSecret, isSet }: OperatedSetting): string {
  if (isSecret) return isSet ? 'Set, not shown' : 'Not set';
  return value ?? (isSet ? 'Set, not shown' : 'Empty');
}
