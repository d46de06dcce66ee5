import type { MergedSessionFile } from '../core/merge/model.ts';

/** What became, or would become, of session files, as `--json` prints it. */
export function mergedFilesJson(files: readonly MergedSessionFile[]): unknown {
  return files.map(({ path, state, unknown, entries }) => ({
    path,
    state,
    unknown: unknown ?? null,
    entries: entries.map(({ needsLook, ...entry }) => ({ ...entry, needs_look: needsLook })),
  }));
}
