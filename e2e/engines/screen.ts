import { existsSync } from 'node:fs';
import { freePort, run, startProcess } from '@sheaf/testbed';
import { xdotool, xvfb } from '../../scripts/debian-packages.ts';
import type { Action } from './tab.ts';

/** A screen in memory with a mouse and a keyboard: without one browsers have no focus and no pointer, and a drag needs a real one. */
export interface Screen {
  readonly display: string;
  /** Does this with the screen's mouse and keyboard, as hands do. The page begins at that place of the screen. */
  act(actions: readonly Action[], page: Place): Promise<void>;
  stop(): Promise<void>;
}

type Place = readonly [left: number, top: number];

/** What X calls the keys that it names otherwise than the DOM. */
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
  // A number that no other test has; X would listen at the port only without `-nolisten`.
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
