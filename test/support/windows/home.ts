import { wtHome, type WtHome } from '../../cli/support/wt.ts';

/** A throw-away home on drive C: with Git for Windows as it is installed: its own settings hold, such as `core.autocrlf=true`. */
export type WindowsHome = WtHome;

/** Makes a {@link WindowsHome}. */
export async function windowsHome(): Promise<WindowsHome> {
  const home = await wtHome();
  delete home.variables['GIT_CONFIG_NOSYSTEM'];
  return home;
}
