/**
 * The lock file of a project that needs nothing but the engine, for npm: exact versions, and the hashes of what the packages hold. In the
 * built programs scripts/build.mjs puts what package-lock.json says in the place of this file; the sources install nothing.
 */
export const engineLock: { readonly packages: Readonly<Record<string, object>> } = { packages: {} };
