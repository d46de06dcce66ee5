import { readFile, writeFile, chmod } from 'node:fs/promises';
import { join } from 'node:path';

/** A program in the place of ssh, which runs git's own server side on this machine instead of connecting to anything. */
export interface SshServer {
  /** The program; it wants no arguments before those that git gives. */
  readonly program: string;
  /** The hosts that git has connected to, each with what it wanted there: `git@work receive-pack`. */
  connections(): Promise<string[]>;
}

/**
 * Makes an {@link SshServer}. Asked with `-G` it tells names as OpenSSH does; every connection is served from one folder.
 *
 * @param folder where the program is put.
 * @param root the folder that holds `<owner>/<repo>.git`.
 * @param aliases what the names in the person's ssh settings stand for.
 */
export async function makeSshServer(
  folder: string,
  root: string,
  aliases: Readonly<Record<string, string>>,
): Promise<SshServer> {
  const program = join(folder, 'ssh-here');
  const log = join(folder, 'ssh-connections');
  const names = Object.entries(aliases).map(([name, host]) => `    ${name}) name=${host} ;;`);
  const script = `#!/bin/sh
if [ "$1" = -G ]; then
  shift
  [ "$1" != -- ] || shift
  name=$1
  case "$name" in
${names.join('\n')}
  esac
  echo "user git"
  echo "hostname $name"
  exit 0
fi
while :; do
  case "$1" in
    -[op]) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
command=$(printf %s "$2" | sed -e 's/^git-/git /' -e "s:'/:':")
echo "$1 $(printf %s "$command" | cut -d ' ' -f 2)" >> '${log}'
cd '${root}' && eval "exec $command"
`;
  await writeFile(program, script);
  await chmod(program, 0o755);
  return {
    program,
    connections: async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
  };
}
