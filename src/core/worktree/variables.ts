import type { Environment } from '../base/environment.ts';
import { portNumbers, type PortBlock } from '../repository/portBlock.ts';
import { composeProjectOf, type WithProject } from './composeProject.ts';
import type { Worktree } from './model.ts';
import type { Workspace } from './workspace.ts';

/** A worktree as far as programs that run in it are told of it; also one that is being made, or is gone. */
export type Described = WithProject &
  Pick<Worktree, 'path'> & {
    readonly base?: { readonly branch: string } | undefined;
    readonly ports?: PortBlock | undefined;
  };

/** The variables of one worktree; `undefined`: it has no such value, and one that was inherited from another worktree goes. */
export type WorktreeVariables = Readonly<Record<string, string | undefined>>;

/**
 * The variables that every program gets that we start in a worktree: setup, checks, hooks, `wt exec`, terminals and agents. The one place
 * that names them.
 */
export function variablesOf(
  workspace: Pick<Workspace, 'configuration' | 'repository'>,
  worktree: Described,
): WorktreeVariables {
  const { name, slug, path, branch, base, entry, ports } = worktree;
  const all: WorktreeVariables = {
    WT_NAME: name,
    WT_SLUG: slug,
    WT_BRANCH: branch,
    WT_BASE: base?.branch ?? entry?.base,
    WT_PATH: path,
    WT_MAIN_ROOT: workspace.repository.mainRoot,
    WT_WORK_ID: entry?.workId,
    WT_TASK: entry?.task,
    ...portVariables(ports),
    COMPOSE_PROJECT_NAME: composeProjectOf(workspace, worktree),
  };
  // No program can be started with a NUL in a variable.
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, value?.replaceAll('\0', ' ')]));
}

/** The first port is `WT_PORT`, the others `WT_PORT_2`, `WT_PORT_3` and so on. */
function portVariables(ports: PortBlock | undefined): WorktreeVariables {
  const numbers = (ports ? portNumbers(ports) : []).map((port, index): [string, string] => [
    index === 0 ? 'WT_PORT' : `WT_PORT_${index + 1}`,
    String(port),
  ]);
  return { WT_PORT: undefined, ...Object.fromEntries(numbers) };
}

/**
 * An environment with the variables of a worktree in the place of those of another one, which our own process may have inherited from its
 * terminal.
 */
export function withVariables<T extends Pick<Environment, 'variables'>>(environment: T, own: WorktreeVariables): T {
  return { ...environment, variables: overlaid(environment.variables, own) };
}

/** Variables of ours that another worktree may have had, and this one may not have. */
const inheritedPort = /^WT_PORT_\d+$/i;

function overlaid(inherited: Environment['variables'], own: WorktreeVariables): Environment['variables'] {
  const ofOther = inherited['WT_PATH'] !== undefined && inherited['WT_PATH'] !== own['WT_PATH'];
  const goes = (name: string): boolean => {
    if (inheritedPort.test(name)) return true;
    // The person may have set one that holds everywhere.
    if (name === 'COMPOSE_PROJECT_NAME' && own[name] === undefined) return ofOther;
    return name in own;
  };
  return Object.fromEntries<string | undefined>([
    ...Object.entries(inherited).filter(([name]) => !goes(name)),
    ...Object.entries(own).filter(([, value]) => value !== undefined),
  ]);
}
