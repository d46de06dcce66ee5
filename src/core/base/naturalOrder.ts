/**
 * The order in which people look for names: `task-2` before `task-10`, whatever the case. Made once: `localeCompare` would make another one for
 * each pair of names.
 */
export const naturalOrder = new Intl.Collator(undefined, { numeric: true });
