import { setTimeout as sleep } from 'node:timers/promises';
import { type Sight, type Target, look, selectors } from './look.ts';
import type { Action, Tab } from './tab.ts';

/** Timeout for an element to appear, in milliseconds. */
const patience = 30_000;

/** A user who looks at a page and uses mouse and keyboard. Each method waits for the elements that it needs. */
export interface Person {
  open(address: string): Promise<void>;
  /** Waits until the target is visible and `isAsWanted` returns true. */
  see(target: Target, isAsWanted?: (sight: Sight) => boolean): Promise<Sight>;
  /** Waits until no match is visible. */
  missing(target: Target): Promise<void>;
  /** Current number of matches. */
  count(target: Target): Promise<number>;
  click(target: Target, button?: 'left' | 'right'): Promise<void>;
  doubleClick(target: Target): Promise<void>;
  /** Presses the mouse on the first, moves it over the second in small steps as a hand does, and holds it there. */
  drag(from: Target, to: Target): Promise<void>;
  drop(): Promise<void>;
  /** Presses keys together, such as `Control+c`. */
  press(combination: string): Promise<void>;
  write(text: string): Promise<void>;
  /** Replaces the value of a field. */
  fill(target: Target, text: string): Promise<void>;
  /** Waits until the page has this address, without the host. */
  at(path: string): Promise<void>;
}

/** Waits until the current state of the page has been painted. */
export async function painted(tab: Tab): Promise<void> {
  await tab.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
}

export function personAt(tab: Tab, host: string): Person {
  const all = async (target: Target): Promise<Sight[]> =>
    (await tab.evaluate(`(${look.toString()})(${JSON.stringify(target)}, ${JSON.stringify(selectors)})`)) as Sight[];

  /** Polls `find` until it returns a value. */
  async function until<Found>(find: () => Promise<Found | undefined>, what: () => string | Promise<string>): Promise<Found> {
    const end = performance.now() + patience;
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      if (performance.now() > end) throw new Error(`not within ${patience} ms: ${await what()}`);
      await sleep(50);
    }
  }

  /** Lists elements with that role, for a failure message. */
  const others = async ({ role }: Target): Promise<string> =>
    role === 'anything' ? '' : `there are ${JSON.stringify((await all({ role })).map(({ name }) => name.slice(0, 80)))}`;

  const see: Person['see'] = async (target, isAsWanted = () => true) => {
    let last: Sight[] = [];
    return until(
      async () => {
        last = await all(target);
        return last.find(isAsWanted);
      },
      async () => `${JSON.stringify(target)} is to be seen as wanted; it is ${JSON.stringify(last)}; ${await others(target)}`,
    );
  };

  /** Waits until the target stops moving and a click would hit it. */
  async function reach(target: Target): Promise<Sight> {
    let before: Sight | undefined;
    return until(
      async () => {
        const sight = (await all(target))[0];
        // A click hits what has been painted, which may be older than the DOM.
        await painted(tab);
        const isStill = before !== undefined && sight?.x === before.x && sight.y === before.y;
        before = sight;
        return sight && isStill && sight.isFree && !sight.isDisabled ? sight : undefined;
      },
      async () => `${JSON.stringify(target)} is to be reached; it is ${JSON.stringify(before)}; ${await others(target)}`,
    );
  }

  const move = ({ x, y }: Pick<Sight, 'x' | 'y'>): Action => ({ type: 'move', x, y });
  const pressed = (button: 'left' | 'right' = 'left'): readonly Action[] => [
    { type: 'press', button },
    { type: 'release', button },
  ];

  const press: Person['press'] = async (combination) => {
    const keys = combination.split('+');
    const down = keys.map((key) => ({ type: 'keyDown', key }) as const);
    const up = keys.toReversed().map((key) => ({ type: 'keyUp', key }) as const);
    await tab.act([...down, ...up]);
  };
  const write: Person['write'] = (text) => tab.act([{ type: 'write', text }]);
  const click: Person['click'] = async (target, button) => tab.act([move(await reach(target)), ...pressed(button)]);

  return {
    open: (address) => tab.open(new URL(address, host).href),
    see,
    async missing(target) {
      await until(
        async () => ((await all(target)).length === 0 ? true : undefined),
        () => `${JSON.stringify(target)} is to go`,
      );
    },
    count: async (target) => (await all(target)).length,
    click,
    async doubleClick(target) {
      await tab.act([move(await reach(target)), ...pressed(), ...pressed()]);
    },
    async drag(from, to) {
      const [start, end] = [await reach(from), await reach(to)];
      await tab.act([move(start), { type: 'press', button: 'left' }]);
      const steps = 8;
      for (let step = 1; step <= steps; step++) {
        const between = (one: number, other: number): number => Math.round(one + ((other - one) * step) / steps);
        await tab.act([move({ x: between(start.x, end.x), y: between(start.y, end.y) })]);
      }
      await tab.act([move({ x: end.x + 2, y: end.y })]);
    },
    drop: () => tab.act([{ type: 'release', button: 'left' }]),
    press,
    write,
    async fill(target, text) {
      await click(target);
      await see(target, ({ isFocused }) => isFocused);
      await press('Control+a');
      await write(text);
      await see(target, ({ value }) => value === text);
    },
    async at(path) {
      let last: unknown;
      await until(
        async () => {
          last = await tab.evaluate('location.href');
          return typeof last === 'string' && last.replace(host, '') === path ? true : undefined;
        },
        () => `the address is to be ${path}, and is ${String(last)}`,
      );
    },
  };
}
