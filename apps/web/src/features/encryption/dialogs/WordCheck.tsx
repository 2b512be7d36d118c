import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';

type Props = {
  words: readonly string[];
  isBusy: boolean;
  problem: string | undefined;
  onBack: () => void;
  onRight: () => void;
};

/** Asks for three of the words, to make sure they were saved before anything depends on them. */
export function WordCheck({ words, isBusy, problem, onBack, onRight }: Props) {
  const [asked] = useState(() => someOf(words.length));
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
  const isRight = (index: number): boolean => (typed[index] ?? '').trim().toLowerCase() === words[index];
  const isWrong = (index: number): boolean => (typed[index] ?? '').trim().length >= (words[index] ?? '').length && !isRight(index);
  const areRight = asked.every(isRight);
  return (
    <form action={() => (areRight && !isBusy ? onRight() : undefined)}>
      <DialogFields>
        {asked.map((index, at) => (
          <TextInput
            key={index}
            label={`Word ${index + 1}`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus={at === 0 || undefined}
            value={typed[index] ?? ''}
            error={isWrong(index) ? `This is not word ${index + 1}.` : undefined}
            onChange={(event) => setTyped({ ...typed, [index]: event.currentTarget.value })}
          />
        ))}
      </DialogFields>
      {problem !== undefined && (
        <Notice kind="error" inDialog>
          {problem}
        </Notice>
      )}
      <DialogButtons>
        <Button onClick={onBack} disabled={isBusy}>
          Show words again
        </Button>
        <Button type="submit" variant="filled" loading={isBusy} disabled={!areRight}>
          Create vault
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Picks three positions of words, in order. */
function someOf(count: number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < 3) chosen.add((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % count);
  return [...chosen].sort((a, b) => a - b);
}
