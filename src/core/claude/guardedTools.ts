/** The tools of Claude Code that write a file, for the file guard. */
export const fileTools: readonly string[] = ['Edit', 'Write', 'NotebookEdit'];

/** The tools of Claude Code that run a command in bash, for the shell guard. */
export const bashTools: readonly string[] = ['Bash', 'Monitor'];

/** Its tools that run a command in any shell. The client has the one of PowerShell on Windows. */
export const shellTools: readonly string[] = [...bashTools, 'PowerShell'];

/** The matcher of a hook for some tools. */
export const matcherOf = (tools: readonly string[]): string => tools.join('|');
