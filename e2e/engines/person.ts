import { setTimeout as sleep } from 'node:timers/promises';
import { type Sight, type Target, look, selectors } from './look.ts';
import type { Action, Tab } from './tab.ts';

/** Milliseconds that someone waits for what is to be seen. */
const patience = 30_000;

/** Someone who looks at a page and uses its mouse and keyboard. Everything waits until what it needs is there. */
export interface Person {
  open(address: string): Promise<void>;
  /** The target, once it can be seen, and `isAsWanted` says so. */
  see(target: Target, isAsWanted?: (sight: Sight) => boolean): Promise<Sight>;
  /** Waits until nothing of it can be seen. */
  missing(target: Target): Promise<void>;
  /** How many there are now. */
  count(target: Target): Promise<number>;
  click(target: Target, button?: 'left' | 'right'): Promise<void>;
  doubleClick(target: Target): Promise<void>;
  /** Presses the mouse on the first and moves it over the second, step by step as a hand does, and holds it there. */
  drag(from: Target, to: Target): Promise<void>;
  drop(): Promise<void>;
  /** Presses keys together, such as `Control+c`. */
  press(combination: string): Promise<void>;
  write(text: string): Promise<void>;
  /** Replaces what stands in a field. */
  fill(target: Target, text: string): Promise<void>;
  /** Waits until the address of the page is this one, without its host. */
  at(path: string): Promise<void>;
}

/** Waits until the page is on the screen as its scripts see it now. */
export async function painted(tab: Tab): Promise<void> {
  await tab.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
}

export function personAt(tab: Tab, host: string): Person {
  const all = async (target: Target): Promise<Sight[]> =>
    (await tab.evaluate(`(${look.toString()})(${JSON.stringify(target)}, ${JSON.stringify(selectors)})`)) as Sight[];

  /** Gives what `find` gives as soon as it is not undefined. */
  async function until<Found>(find: () => Promise<Found | undefined>, what: () => string | Promise<string>): Promise<Found> {
    const end = performance.now() + patience;
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      if (performance.now() > end) throw new Error(`not within ${patience} ms: ${await what()}`);
      await sleep(50);
    }
  }

  /** What else has that role, for the message of a failure. */
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

  /** The target, once it stands still and a press would reach it. */
  async function reach(target: Target): Promise<Sight> {
    let before: Sight | undefined;
    return until(
      async () => {
        const sight = (await all(target))[0];
        // A press goes to what has been painted, which may be older than what scripts see.
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
