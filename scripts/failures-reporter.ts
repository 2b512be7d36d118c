/** A reporter of `node --test` for the end of `npm test`: one line per failed test, with its whole message. */
import { relative } from 'node:path';
import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { stripVTControlCharacters } from 'node:util';

/** A failure that only reports others: of a suite's tests, or of a file's. */
const tellsOfOthers = new Set(['subtestsFailed', 'cancelledByParent']);

function line({ name, file = '', details }: EventData.TestFail): string {
  const { error } = details;
  const { message } = error.cause instanceof Error ? error.cause : error;
  const test = name === file ? '' : ` ${name}`;
  return `${relative(process.cwd(), file)}${test}: ${stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')}\n`;
}

/** Turns the runner's events into lines. A file that ended before its tests is a failure of its own. */
// oxlint-disable-next-line no-default-export
export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail' || event.data.todo !== undefined) continue;
    const kind: unknown = Reflect.get(event.data.details.error, 'failureType');
    if (typeof kind !== 'string' || !tellsOfOthers.has(kind)) yield line(event.data);
  }
}
