import { existsSync } from 'node:fs';
import { freePort, run, startProcess } from '@sheaf/testbed';
import { xdotool, xvfb } from '../../scripts/debian-packages.ts';
import type { Action } from './tab.ts';

/** A virtual screen with mouse and keyboard: browsers without one have no focus and no pointer, and dragging needs a real pointer. */
export interface Screen {
  readonly display: string;
  /** Performs input with the screen's mouse and keyboard. `page` is the position of the page on the screen. */
  act(actions: readonly Action[], page: Place): Promise<void>;
  stop(): Promise<void>;
}

type Place = readonly [left: number, top: number];

/** X names of keys whose DOM names differ. */
const keys: Readonly<Record<string, string>> = {
  Shift: 'Shift_L',
  Control: 'Control_L',
  Alt: 'Alt_L',
  Enter: 'Return',
  ArrowUp: 'Up',
  ArrowRight: 'Right',
  ArrowDown: 'Down',
};
const buttons = { left: '1', right: '3' } as const;

function wordsOf(action: Action, [left, top]: Place): string[] {
  switch (action.type) {
    case 'move':
      return ['mousemove', String(left + action.x), String(top + action.y)];
    case 'press':
      return ['mousedown', buttons[action.button]];
    case 'release':
      return ['mouseup', buttons[action.button]];
    case 'keyDown':
      return ['keydown', keys[action.key] ?? action.key];
    case 'keyUp':
      return ['keyup', keys[action.key] ?? action.key];
    case 'write':
      return ['type', '--args', '1', '--delay', '5', '--', action.text];
  }
}

export async function startScreen(): Promise<Screen> {
  // A free port gives a number that no other test uses; `-nolisten` keeps X from listening at it.
  const number = await freePort();
  const display = `:${number}`;
  const server = await startProcess({
    command: xvfb,
    args: [display, '-screen', '0', '1400x1100x24', '-nolisten', 'tcp'],
    ready: () => existsSync(`/tmp/.X11-unix/X${number}`),
    debianPackage: 'xvfb',
  });
  return {
    display,
    async act(actions, page) {
      await run('env', [`DISPLAY=${display}`, xdotool, ...actions.flatMap((action) => wordsOf(action, page))]);
    },
    stop: () => server.stop(),
  };
}
