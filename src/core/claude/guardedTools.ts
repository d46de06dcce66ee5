/** The tools of Claude Code that write a file, for the file guard. */
export const fileTools: readonly string[] = ['Edit', 'Write', 'NotebookEdit'];

/** The tools of Claude Code that run a shell command, for the shell guard. */
export const shellTools: readonly string[] = ['Bash', 'Monitor'];

/** The matcher of a hook for some tools. */
export const matcherOf = (tools: readonly string[]): string => tools.join('|');
