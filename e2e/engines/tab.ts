/** One thing that a hand does with mouse or keyboard. Keys are named as `KeyboardEvent.key` names them. */
export type Action =
  | { readonly type: 'move'; readonly x: number; readonly y: number }
  | { readonly type: 'press' | 'release'; readonly button: 'left' | 'right' }
  | { readonly type: 'keyDown' | 'keyUp'; readonly key: string }
  | { readonly type: 'write'; readonly text: string };

/** One page of a browser, by whichever protocol its engine speaks. */
export interface Tab {
  /** Opens an address and waits until the page is loaded. */
  open(address: string): Promise<void>;
  /** Runs this JavaScript expression in the page and gives its value, which JSON can hold. */
  evaluate(expression: string): Promise<unknown>;
  /** Does this in order; what is held stays held for the next call. The page may still be at it when this resolves. */
  act(actions: readonly Action[]): Promise<void>;
  /** Chooses these files of this machine in the file input of that CSS selector. */
  chooseFiles(css: string, paths: readonly string[]): Promise<void>;
  /** Gives the page this size in CSS pixels, as far as the window can be made so small. */
  resize(width: number, height: number): Promise<void>;
  /** The page as a PNG. */
  picture(): Promise<Buffer>;
  /** Errors that the page has written to the console or not caught. */
  errors(): Promise<readonly string[]>;
}

/** A running browser with one page. */
export interface Browser {
  readonly tab: Tab;
  stop(): Promise<void>;
}
