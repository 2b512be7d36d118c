import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Message, type News, type StreamHandlers, concerns, createLiveFolders } from './live-folders.ts';

/** Windows of one browser, of which one at a time leads, and the streams that they hold. */
function browser() {
  const windows = new Set<{ readonly receive: (message: Message) => void }>();
  const queue: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  let isLed = false;
  const streams = new Map<string, StreamHandlers>();
  const opened: [string, boolean][] = [];
  const next = (): void => {
    if (isLed) return;
    const lead = waiting.shift();
    if (!lead) return;
    isLed = true;
    lead();
  };
  const open = (self: string) => {
    const window = createLiveFolders({
      self,
      openStream: (links, handlers, isRepeated) => {
        const key = links.join(' ');
        streams.set(key, handlers);
        opened.push([key, isRepeated]);
        return () => streams.delete(key);
      },
      lead: (lead) => {
        let leads = false;
        const begin = (): void => {
          leads = true;
          lead();
        };
        waiting.push(begin);
        queue.push(next);
        return () => {
          const at = waiting.indexOf(begin);
          if (at >= 0) waiting.splice(at, 1);
          if (leads) isLed = false;
          queue.push(next);
        };
      },
      post: (message) => {
        for (const other of windows) if (other !== window) queue.push(() => other.receive(message));
      },
      later: (work) => {
        let isCanceled = false;
        queue.push(() => !isCanceled && work());
        return () => (isCanceled = true);
      },
    });
    windows.add(window);
    return window;
  };
  const settle = (): void => {
    for (let work = queue.shift(); work; work = queue.shift()) work();
  };
  return { open, settle, streams, opened };
}

const changed = (...linkUris: string[]): News => ({ changed: linkUris, gone: [], all: [] });

test('the windows of a browser share one stream about what any of them shows, and the next one takes it over', () => {
  const { open, settle, streams, opened } = browser();
  const [first, second] = [open('1'), open('2')];
  const heard: string[] = [];
  const end = first.follow('a', () => heard.push('first'));
  second.follow('a', () => heard.push('second'));
  second.follow('b', () => heard.push('second b'));
  settle();
  assert.deepEqual([...streams.keys()], ['a b']);
  streams.get('a b')?.onNews(changed('/a/x'));
  settle();
  assert.deepEqual(heard.splice(0), ['first', 'second']);
  streams.get('a b')?.onNews('missed');
  settle();
  assert.deepEqual(heard.splice(0).toSorted(), ['first', 'second', 'second b']);

  first.setVisible(false);
  settle();
  assert.deepEqual([...streams.keys()], ['a b'], 'the other window holds it now');
  streams.get('a b')?.onNews({ changed: [], gone: [], all: ['b'] });
  settle();
  assert.deepEqual(heard.splice(0), ['second b']);
  streams.get('a b')?.onRefused();
  settle();
  assert.deepEqual(opened.at(-1), ['a b', true]);
  end();
  second.setVisible(false);
  settle();
  assert.equal(streams.size, 0, 'hidden windows follow nothing');
});

test('news concern the folder itself, what was above it and is gone, and all folders of a link with many changes', () => {
  assert.ok(concerns(changed('/a/x'), '/a/x'));
  assert.ok(!concerns(changed('/a', '/a/x/y'), '/a/x'));
  assert.ok(concerns({ changed: [], gone: ['/a/x'], all: [] }, '/a/x/y'));
  assert.ok(!concerns({ changed: [], gone: ['/a/x'], all: [] }, '/a/xy'));
  assert.ok(concerns({ changed: [], gone: [], all: ['a'] }, '/a/x'));
  assert.ok(concerns('missed', '/b'));
});
