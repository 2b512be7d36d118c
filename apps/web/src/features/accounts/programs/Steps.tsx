import { useState } from 'react';
import { CopyText } from '#/ui/CopyText.tsx';
import type { Program } from './steps.ts';
import classes from './programs.module.css';

/** The steps of one program at a time. */
export function Steps({ programs }: { programs: readonly Program[] }) {
  const [chosen, setChosen] = useState('');
  const program = programs.find(({ id }) => id === chosen) ?? programs[0];
  return (
    <>
      <div className={classes.clients} role="group" aria-label="Program">
        {programs.map(({ id, title }) => (
          <button key={id} type="button" aria-pressed={id === program?.id} onClick={() => setChosen(id)}>
            {title}
          </button>
        ))}
      </div>
      <ol className={classes.steps}>
        {program?.steps.map(({ text, command }) => (
          <li key={text}>
            <p>{text}</p>
            {command !== undefined && <CopyText label="Copy the command" text={command} framed />}
          </li>
        ))}
      </ol>
    </>
  );
}
