/**
 * The plugin's `hooks.json` as it has to be on Windows, where nothing starts a script without a shell: each hook goes through the Bash
 * of Git for Windows, or through PowerShell where that is not. Its words come from our own file and need no more quoting than they get.
 *
 * @param text the file as it is for every other system.
 */
export function hooksForWindows(text: string, shell: 'bash' | 'powershell' = 'bash'): string {
  const adapt = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(adapt);
    if (typeof value !== 'object' || value === null) return value;
    const { command, args, ...rest } = value as { command?: unknown; args?: unknown };
    if (typeof command !== 'string' || !Array.isArray(args)) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, adapt(inner)]));
    }
    const [script, ...words] = args.map((word) => `"${String(word)}"`);
    // The batch file lies beside the script.
    const line =
      shell === 'bash'
        ? [command, script, ...words].join(' ')
        : `& ${(script ?? '').replace(/"$/, '.cmd"')} ${words.join(' ')}; exit $LASTEXITCODE`;
    return { ...rest, command: line, shell };
  };
  return `${JSON.stringify(adapt(JSON.parse(text)), null, 2)}\n`;
}
