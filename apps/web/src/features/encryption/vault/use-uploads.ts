import { useEffect, useRef, useState } from 'react';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { type Gathering, pathOf } from '#/lib/uploads/gather-files.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { touchVault } from '../crypt/state.ts';
import { sealedName } from '../folder/changes.ts';
import { makeFolders } from '../folder/make-folders.ts';
import type { Place } from '../folder/own-parts.ts';
import { record } from '../folder/record.ts';
import { uploadSealed } from '../sending/upload.ts';

export interface VaultUpload {
  readonly id: number;
  /** Path below the target folder. */
  readonly name: string;
  readonly file: File;
  readonly placeOf: () => Promise<Place>;
  /** Fraction of the encrypted bytes sent so far, from 0 to 1. */
  readonly done: number;
  readonly state: 'waiting' | 'running' | 'taken' | 'failed';
  readonly problem?: string;
}

export type VaultUploads = ReturnType<typeof useVaultUploads>;

/** Uploads of this page into a folder of a vault, one at a time. Leaving the vault ends them. */
export function useVaultUploads(place: Place, onDone: () => void) {
  const { vaultId } = place;
  const [list, setList] = useState<readonly VaultUpload[]>([]);
  const count = useRef(0);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const [life] = useState(() => new AbortController());
  useEffect(() => () => life.abort(), [life]);
  const isRunning = list.some(({ state }) => state === 'running' || state === 'waiting');
  useEffect(() => {
    if (!isRunning) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isRunning]);

  const change = (id: number, next: Partial<VaultUpload>): void =>
    setList((all) => all.map((one) => (one.id === id ? { ...one, ...next } : one)));
  const drop = (id: number): void => setList((all) => all.filter((one) => one.id !== id));

  async function run({ id, file, placeOf }: VaultUpload, conflict: 'fail' | 'replace'): Promise<void> {
    if (life.signal.aborted) return;
    change(id, { state: 'running' });
    try {
      const sealed = await sealedName(vaultId, file.name, false);
      const target = await placeOf();
      const onSent = (sent: number, size: number): void => {
        touchVault(vaultId);
        change(id, { done: sent / size });
      };
      const nonce = await uploadSealed(vaultId, file, {
        parentLinkUri: target.linkUri,
        name: sealed,
        conflict,
        onSent,
        signal: life.signal,
      });
      record(target, [{ name: file.name, nonce, size: file.size }]);
      drop(id);
      onDone();
    } catch (error) {
      if (life.signal.aborted) return;
      const isTaken = error instanceof CallError && error.is('NAME_TAKEN');
      change(id, { state: isTaken ? 'taken' : 'failed', problem: isTaken ? 'A file of this name is there already.' : errorText(error) });
    }
  }
  const start = (upload: VaultUpload, conflict: 'fail' | 'replace'): void => {
    queue.current = queue.current.then(() => run(upload, conflict));
  };

  return {
    list,
    add({ files, folders }: Gathering): void {
      const placeOf = makeFolders(place);
      const added = files.map(({ file, folders: above }) => ({
        id: ++count.current,
        name: pathOf(above, file.name),
        file,
        placeOf: () => placeOf(above),
        done: 0,
        state: 'waiting' as const,
      }));
      setList((all) => [...all, ...added]);
      for (const upload of added) start(upload, 'fail');
      // No upload creates a folder without files.
      queue.current = queue.current.then(async () => {
        for (const path of folders)
          await placeOf(path).catch((error: unknown) => notifyError(`Cannot make "${path.join('/')}". ${errorText(error)}`));
        if (folders.length > 0) onDone();
      });
    },
    /** Starts an upload again: after a failure, or to replace the existing file. */
    again(upload: VaultUpload): void {
      change(upload.id, { state: 'waiting', done: 0 });
      start(upload, upload.state === 'taken' ? 'replace' : 'fail');
    },
    drop,
  };
}
