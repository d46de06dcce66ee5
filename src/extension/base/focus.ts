import type { WindowState } from 'vscode';

/**
 * Tells when a window gets the focus. VS Code reports its state also when the person rests or goes on, with the focus where it was: that
 * is no reason to look again.
 *
 * @param focused whether it has the focus now.
 * @param gets called each time.
 * @returns what is to be told of every change.
 */
export function onFocus(focused: boolean, gets: () => void): (state: Pick<WindowState, 'focused'>) => void {
  let had = focused;
  return (state) => {
    const got = state.focused && !had;
    had = state.focused;
    if (got) gets();
  };
}
