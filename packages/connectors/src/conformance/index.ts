import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Connector } from '../core/connector.ts';
import type { Operation } from '../core/operations.ts';
import { aftermathPromises } from './aftermath.ts';
import { binPromises } from './bins/bin-promises.ts';
import { replacedPromises } from './bins/replaced-promises.ts';
import { featurePromises, serviceCopyPromises } from './features.ts';
import { folderPromises } from './folders.ts';
import { largeFilePromises } from './large-files.ts';
import { namePromises } from './names.ts';
import { numberedPromises } from './parts/numbered.ts';
import { readingPromises } from './reading.ts';
import { type Traits, createSetting } from './setting.ts';
import { uploadPromises } from './uploads.ts';
import { writingPromises } from './writing.ts';

export { hardNames } from './names.ts';
export { fillOnDisk, type Traits } from './setting.ts';

/**
 * Registers the tests of every promise of {@link Connector}. `open` is called once, before the first test; the connector is closed after
 * the last test. The link must be writable under `traits.root`, where the suite creates its folders.
 */
export function conformance(id: string, open: () => Promise<Connector>, traits: Traits = {}): void {
  let opened: Connector | undefined;
  const setting = createSetting(id, () => opened ?? assert.fail(`${id} is not open`), traits);

  describe(`${id} keeps the promises of a connector`, () => {
    before(async () => {
      opened = await open();
    });
    after(() => opened?.close());

    const extras: readonly Operation[] = ['thumbnail', 'search', 'usage', 'changes'];
    const absent = [...(traits.lacks ?? []), ...extras.filter((operation) => !traits.offers?.includes(operation))];
    for (const operation of absent) test(`lacks ${operation}`, () => assert.equal(setting.connector()[operation], undefined));
    readingPromises(setting);
    writingPromises(setting);
    uploadPromises(setting);
    numberedPromises(setting);
    serviceCopyPromises(setting);
    folderPromises(setting);
    namePromises(setting);
    largeFilePromises(setting);
    aftermathPromises(setting);
    featurePromises(setting);
    binPromises(setting);
    replacedPromises(setting);
  });
}

/** Registers the tests of bins and versions only: for a source whose other promises are tested with versions turned off. */
export function conformanceOfKept(id: string, open: () => Promise<Connector>, traits: Traits): void {
  let opened: Connector | undefined;
  const setting = createSetting(id, () => opened ?? assert.fail(`${id} is not open`), traits);

  describe(`${id} keeps what is deleted and replaced`, () => {
    before(async () => {
      opened = await open();
    });
    after(() => opened?.close());
    binPromises(setting);
    replacedPromises(setting);
  });
}
