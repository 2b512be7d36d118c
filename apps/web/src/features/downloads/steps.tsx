import type { ReactNode } from 'react';
import { CopyText } from '#/ui/CopyText.tsx';
import { type Platform, installLine } from './platform.ts';

const node = (
  <>
    Install{' '}
    <a href="https://nodejs.org/" target="_blank" rel="noreferrer">
      Node
    </a>
    , version 20 or newer.
  </>
);
const signIn = (
  <>
    Sign in; your browser asks you to confirm:
    <CopyText text={`sheaf login ${location.origin}`} label="Copy the command" framed />
  </>
);
const install = (terminal: string, text: string): ReactNode => (
  <>
    Open {terminal} and install the downloaded file:
    <CopyText text={text} label="Copy the command" framed />
  </>
);
const keepCopied = (
  <>
    Keep a folder copied; your browser asks where:
    <CopyText text="sheaf sync ~/Documents" label="Copy the command" framed />
  </>
);

/** Installation steps, per platform. */
export const steps: Readonly<Record<Platform, { readonly title: string; readonly steps: readonly ReactNode[] }>> = {
  mac: {
    title: 'Install Sheaf sync',
    steps: [node, install('Terminal', 'npm install --global ~/Downloads/sheaf-cli.tgz'), signIn, keepCopied],
  },
  win: {
    title: 'Install Sheaf on your computer',
    steps: [node, install('the Command Prompt', String.raw`npm install --global "%USERPROFILE%\Downloads\sheaf-cli.tgz"`), signIn],
  },
  linux: {
    title: 'Install Sheaf sync',
    steps: [node, install('a terminal', 'npm install --global ~/Downloads/sheaf-cli.tgz'), signIn, keepCopied],
  },
};

/** Installation in one line, where this Sheaf offers the client with all it needs. */
export const shortSteps = (platform: Platform): readonly ReactNode[] => [
  <>
    Open {platform === 'win' ? 'PowerShell' : 'a terminal'} and run this line. It needs nothing else, and installs for you alone:
    <CopyText text={installLine(platform, location.origin)} label="Copy the command" framed />
  </>,
  signIn,
  <>
    Keep a folder copied while you work; your browser asks where:
    <CopyText
      text={platform === 'win' ? String.raw`sheaf sync --watch "$HOME\Documents"` : 'sheaf sync --watch ~/Documents'}
      label="Copy the command"
      framed
    />
  </>,
];
