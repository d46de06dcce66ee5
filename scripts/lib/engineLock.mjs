/** The packages that make up the engine of the database. */
const ofEngine = /^node_modules\/(?:@duckdb\/|detect-libc$)/;

/**
 * Cuts the engine's packages out of a lock file of npm: each with its exact version and the hash of its content, which npm checks when it
 * installs them.
 *
 * @param {{ lockfileVersion: number, packages: Record<string, Record<string, unknown>> }} lock
 * @returns {object} the lock file of a project that needs nothing but the engine.
 */
export function cutEngineLock({ lockfileVersion, packages }) {
  const name = 'worktree-stacks-engine';
  const dependencies = { '@duckdb/node-api': packages['node_modules/@duckdb/node-api']?.['version'] };
  const engine = Object.entries(packages).filter(([path]) => ofEngine.test(path));
  const without = engine.map(([path, entry]) => [
    path,
    Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'license')),
  ]);
  return { name, lockfileVersion, packages: { '': { name, dependencies }, ...Object.fromEntries(without) } };
}
