/** Reporter for the summary of `npm test`: writes one line to a file for each failed test, and for each that passed only on retry. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';

const inOneLine = ({ message = '' }: TestError): string => stripVTControlCharacters(message).replaceAll(/\s+/g, ' ');

// oxlint-disable-next-line no-default-export
export default class FailuresReporter implements Reporter {
  readonly #file: string;
  #tests: Suite | undefined;
  #faults: TestError[] = [];

  constructor({ file }: { file: string }) {
    this.#file = file;
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#tests = suite;
  }

  /** An error outside tests, such as a worker that could not start. */
  onError(error: TestError): void {
    this.#faults.push(error);
  }

  onEnd(): void {
    for (const fault of this.#faults) this.#write(inOneLine(fault));
    const tests = this.#tests?.allTests() ?? [];
    for (const test of tests) if (test.outcome() === 'unexpected') this.#write(this.#describe(test));
    for (const test of tests) if (test.outcome() === 'flaky') this.#write(`flaky ${this.#describe(test)}`);
  }

  #describe(test: TestCase): string {
    const error = test.results.flatMap(({ errors }) => errors)[0];
    const where = `${relative(process.cwd(), test.location.file)}:${test.location.line}`;
    return `[${test.parent.project()?.name ?? ''}] ${where} ${test.title}: ${error ? inOneLine(error) : 'did not run'}`;
  }

  #write(line: string): void {
    appendFileSync(this.#file, `${line}\n`);
  }
}
