/** The tools of Claude Code that write a file: the file guard judges them. */
export const fileTools: readonly string[] = ['Edit', 'Write', 'NotebookEdit'];

/** The tools of Claude Code that run a shell command: the shell guard judges them. */
export const shellTools: readonly string[] = ['Bash', 'Monitor'];

/** The matcher of a hook for some tools. */
export const matcherOf = (tools: readonly string[]): string => tools.join('|');
