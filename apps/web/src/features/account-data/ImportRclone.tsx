import { Button, FileButton, Textarea } from '@mantine/core';
import { type Remote, rcloneLimits } from '@sheaf/contract';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { useReadRclone } from './queries.ts';
import { RemoteList } from './RemoteList.tsx';
import classes from './account-data.module.css';

/** A parsed configuration and its remotes. */
interface Read {
  readonly config: string;
  readonly remotes: readonly Remote[];
}

/** Takes a file or pasted text, then lets the user choose the remotes to link. */
export function ImportRclone() {
  const [text, setText] = useState('');
  const [tooLarge, setTooLarge] = useState(false);
  const [found, setFound] = useState<Read>();
  const read = useReadRclone();

  const look = (config: string): void => read.mutate(config, { onSuccess: ({ remotes }) => setFound({ config, remotes }) });
  const choose = (file: File | null): void => {
    if (!file) return;
    setTooLarge(file.size > 4 * rcloneLimits.characters);
    if (file.size > 4 * rcloneLimits.characters) return;
    void file.text().then(look);
  };

  if (found) {
    return (
      <RemoteList
        config={found.config}
        remotes={found.remotes}
        onEnd={() => {
          setFound(undefined);
          setText('');
          read.reset();
        }}
      />
    );
  }
  return (
    <form className={classes.form} action={() => look(text)}>
      {read.error && <Notice kind="error">{errorText(read.error)}</Notice>}
      {tooLarge && <Notice kind="error">This file is too large to be an rclone configuration.</Notice>}
      <FileButton onChange={choose} accept=".conf,.ini,text/plain">
        {(button) => (
          <Button {...button} loading={read.isPending} leftSection={<IconUpload size={16} stroke={1.75} />}>
            Choose rclone.conf
          </Button>
        )}
      </FileButton>
      <p className={classes.hint}>
        <code>rclone config file</code> says where it is. Or paste what <code>rclone config show</code> prints:
      </p>
      <Textarea
        className={classes.wide}
        classNames={{ input: classes.paste ?? '' }}
        label="Configuration"
        name="config"
        placeholder={'[nas]\ntype = sftp\nhost = nas.example'}
        autoComplete="off"
        spellCheck={false}
        rows={6}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          read.reset();
        }}
      />
      <Button type="submit" disabled={text.trim() === ''} loading={read.isPending}>
        Read
      </Button>
    </form>
  );
}
