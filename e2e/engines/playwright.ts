import type { Page } from '@playwright/test';
import type { Tab } from './tab.ts';

export function tabOfPlaywright(page: Page): Tab {
  const errors: string[] = [];
  page.on('console', (message) => {
    // A refused call is not a script error; the other engines do not report it either.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return {
    async open(address) {
      await page.goto(address);
    },
    evaluate: (expression) => page.evaluate<unknown>(expression),
    async act(actions) {
      let clickCount = 0;
      for (const action of actions)
        switch (action.type) {
          case 'move':
            await page.mouse.move(action.x, action.y);
            break;
          case 'press':
            await page.mouse.down({ button: action.button, clickCount: (clickCount += 1) });
            break;
          case 'release':
            await page.mouse.up({ button: action.button, clickCount });
            break;
          case 'keyDown':
            await page.keyboard.down(action.key);
            break;
          case 'keyUp':
            await page.keyboard.up(action.key);
            break;
          case 'write':
            await page.keyboard.type(action.text);
        }
    },
    chooseFiles: (css, paths) => page.setInputFiles(css, [...paths]),
    resize: (width, height) => page.setViewportSize({ width, height }),
    picture: () => page.screenshot(),
    errors: () => Promise.resolve(errors),
  };
}
