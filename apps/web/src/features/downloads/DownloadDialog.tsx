import { Button } from '@mantine/core';
import { IconBrandApple, IconBrandWindows, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useContact } from '#/lib/session/session.ts';
import { Dialog } from '#/ui/dialog/Dialog.tsx';
import { type Platform, detectPlatform, offered, packageAddress, platforms } from './platform.ts';
import { shortSteps, steps } from './steps.tsx';
import classes from './downloads.module.css';

type Props = {
  onClose: () => void;
  /** Rendered on its own page, where nothing is downloaded before a platform was chosen. */
  asPage?: boolean;
};

const icons = { mac: IconBrandApple, win: IconBrandWindows, linux: IconTerminal2 } as const;
const others = (shown: Platform): Platform[] => (['mac', 'win', 'linux'] as const).filter((platform) => platform !== shown);

/** The client for computers: the steps for the current platform, or the choice of one. */
export function DownloadDialog({ onClose, asPage = false }: Props) {
  const { forum } = useContact();
  const [platform, setPlatform] = useState<Platform | undefined>(() =>
    asPage ? undefined : detectPlatform(navigator.userAgent, navigator.maxTouchPoints),
  );
  if (platform) return <Install key={platform} platform={platform} onPlatform={setPlatform} onClose={onClose} asPage={asPage} />;
  return (
    <Dialog title="Get Sheaf for your computer" sentence="Which computer is it for?" onClose={onClose} asPage={asPage}>
      <div className={classes.platforms}>
        {(['mac', 'win', 'linux'] as const).map((one) => {
          const Icon = icons[one];
          return (
            <Button key={one} leftSection={<Icon size={18} stroke={1.75} aria-hidden="true" />} onClick={() => setPlatform(one)}>
              {platforms[one]}
            </Button>
          );
        })}
      </div>
      {forum !== undefined && (
        <p className={classes.foot}>
          Questions? Ask in the{' '}
          <a href={forum} target="_blank" rel="noreferrer">
            user forum
          </a>
          .
        </p>
      )}
    </Dialog>
  );
}

type InstallProps = Props & { platform: Platform; onPlatform: (platform: Platform) => void };

function Install(props: InstallProps) {
  const { data = [], isPending } = useQuery(offered);
  return !isPending && <Steps {...props} isShort={data.includes(props.platform)} />;
}

function Steps({ platform, isShort, onPlatform, onClose, asPage }: InstallProps & { isShort: boolean }) {
  useEffect(() => {
    if (!isShort) download(platform);
  }, [platform, isShort]);
  const shown = isShort ? { title: steps[platform].title, steps: shortSteps(platform) } : steps[platform];
  return (
    <Dialog
      title={shown.title}
      sentence={isShort ? 'One line installs it, with all it needs.' : 'The download has started.'}
      onClose={onClose}
      asPage={asPage === true}
    >
      <ol className={classes.steps}>
        {shown.steps.map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </ol>
      <p className={classes.foot}>
        {isShort ? 'You have Node, and want the package for npm?' : 'Nothing was downloaded?'}{' '}
        <a href={packageAddress(platform)} download>
          Click here
        </a>
        . Another computer?{' '}
        {others(platform).map((one) => (
          <button key={one} type="button" onClick={() => onPlatform(one)}>
            {platforms[one]}
          </button>
        ))}
      </p>
    </Dialog>
  );
}

/** Starts the download in the background of the page. */
function download(platform: Platform): void {
  const link = document.createElement('a');
  link.href = packageAddress(platform);
  link.download = '';
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
