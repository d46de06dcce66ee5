/** Environment variables by their names, as they are written. */
type Variables = Readonly<Record<string, string | undefined>>;

/** A variable's name as it is written there, which may be in any case; of several spellings the one that a child process would get. */
export function nameIn(variables: Variables, name: string): string | undefined {
  const [found] = Object.keys(variables)
    .filter((each) => each.toUpperCase() === name.toUpperCase())
    .sort();
  return found;
}

/** The value of a variable, by {@link nameIn}. */
export function valueOf(variables: Variables, name: string): string | undefined {
  const found = nameIn(variables, name);
  return found === undefined ? undefined : variables[found];
}

/**
 * The same variables, which are also found by their names in capital letters, however Windows has them: it makes no difference there. Who
 * copies or lists them gets them as they are written.
 */
export function inAnyCase(variables: Variables): Variables {
  const capitals = {};
  for (const each of Object.keys(variables)) {
    const name = each.toUpperCase();
    if (name !== each && !Object.hasOwn(capitals, name))
      Object.defineProperty(capitals, name, { value: valueOf(variables, name), enumerable: false, writable: true });
  }
  return Object.assign(Object.create(capitals) as Record<string, string | undefined>, variables);
}
