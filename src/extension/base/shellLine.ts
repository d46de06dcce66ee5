import { win32 } from 'node:path';
import { powerShellWord } from '../../core/base/quoted.ts';

/** How a shell reads a line: `powershell` is the one that comes with Windows, which knows no `&&`. */
export type ShellKind = 'posix' | 'pwsh' | 'powershell' | 'cmd';

/** What kind of shell a program is, such as that of VS Code's terminals (`env.shell`). */
export function shellKindOf(program: string): ShellKind {
  const name = win32
    .basename(program)
    .toLowerCase()
    .replace(/\.exe$/, '');
  return name === 'cmd' || name === 'pwsh' || name === 'powershell' ? name : 'posix';
}

/** The beginning of a line that starts a program by its path, whatever is in that. */
export function startOf(program: string, kind: ShellKind): string {
  switch (kind) {
    case 'cmd':
      return `"${program}"`;
    case 'pwsh':
    case 'powershell':
      return `& ${powerShellWord(program)}`;
    case 'posix':
      return `'${program.replaceAll("'", "'\\''")}'`;
  }
}

/** Lines as one, of which each runs only if those before it went well. */
export function inTurn(lines: readonly string[], kind: ShellKind): string {
  if (kind !== 'powershell') return lines.join(' && ');
  return lines.reduceRight((rest, line) => (rest === '' ? line : `${line}; if ($?) { ${rest} }`), '');
}
