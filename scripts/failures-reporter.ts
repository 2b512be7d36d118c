/** A reporter of `node --test` for the end of `npm test`: one line per failed test, with its whole message, one per skipped test, and one per slow test. */
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

/** Milliseconds from which a test is slow: most that take longer wait for a time limit instead of an event. */
const slow = 10_000;
/** What the line of a slow test begins with; its milliseconds, file and title follow, separated by tabs. */
export const slowMark = 'slow\t';

function slowLine({ name, file = '', details }: EventData.TestPass): string {
  if (details.type === 'suite' || name === file || details.duration_ms < slow) return '';
  return `${slowMark}${Math.round(details.duration_ms)}\t${relative(process.cwd(), file)}\t${name}\n`;
}

/** What the line of a test that did not run begins with. It counts as failed, so that nothing is left out in silence. */
export const skipMark = 'skipped ';

function skipLine({ name, file = '', skip, todo }: EventData.TestPass): string {
  const reason = skip ?? todo;
  if (reason === undefined || reason === false) return '';
  return `${skipMark}${relative(process.cwd(), file)} ${name}: ${typeof reason === 'string' ? reason : 'without a reason'}\n`;
}

/** Turns the runner's events into lines. A file that ended before its tests is a failure of its own. */
// oxlint-disable-next-line no-default-export
export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:pass') yield skipLine(event.data) + slowLine(event.data);
    if (event.type !== 'test:fail') continue;
    const kind: unknown = Reflect.get(event.data.details.error, 'failureType');
    if (typeof kind !== 'string' || !tellsOfOthers.has(kind)) yield line(event.data);
  }
}
