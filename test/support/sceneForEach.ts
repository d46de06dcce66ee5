import { savePlace, type SavedPlace } from './savedPlace.ts';

/**
 * Hooks for a suite whose scene takes many processes of git: it is made once, and each test finds it as it was made. What the scene keeps in
 * memory is that of all tests.
 *
 * @param make gives the home of the scene: all that its tests change is in there.
 */
export function sceneForEach(make: () => Promise<{ readonly root: string; dispose(): Promise<void> }>): void {
  let home: Awaited<ReturnType<typeof make>> | undefined;
  let saved: SavedPlace | undefined;
  let untouched = true;
  before('make the scene', async () => {
    home = await make();
    saved = savePlace(home.root, 'scene');
  });
  beforeEach('restore the scene', () => {
    if (!untouched) saved?.restore();
    untouched = false;
  });
  after('delete the scene', async () => {
    saved?.forget();
    await home?.dispose();
  });
}
