import { join } from 'node:path';
import { readTextIfThere } from '../base/atomicFile.ts';
import { parseByteSize } from '../base/byteSize.ts';
import { isObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import { faultsOfHooks, hooksOf, type Hooks, type WrittenHooks } from './hookConfiguration.ts';
import { faultsOfTime, type WrittenTime } from './timeLimit.ts';
import { faultsOfPorts, portSettings, type PortSettings, type WrittenPorts } from './lifeConfiguration.ts';
import { shareRules, type ShareRule, type WrittenShare } from './shareConfiguration.ts';
import type { SchemaFault } from '../base/jsonSchema.ts';
import type { Message } from '../messages/message.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** The name of the team's configuration file, below the main root. */
export const configurationFile = '.worktrees.yml';

/** The team's configuration with every default filled in; schemas/worktrees.schema.json describes each key. */
export interface Configuration {
  readonly worktree: {
    readonly locationPattern: string;
    readonly branchPattern: string;
    readonly strategy: 'subdirectory' | 'sibling';
    readonly createParent: boolean;
    /** The mode of folders made for worktrees, as a number; `undefined`: 0755 without what the umask takes away. */
    readonly permissions: number | undefined;
    readonly autoCreate: 'prompt' | 'always' | 'never';
    readonly autoCleanup: boolean;
    readonly copy: readonly string[];
    /** Git-ignored folders and files that new worktrees get without a copy where that is safe. */
    readonly share: readonly ShareRule[];
  };
  /** `undefined` when not configured: then the repository's files suggest commands. */
  readonly setup: readonly string[] | undefined;
  readonly checks: string | undefined;
  /** The checks must also pass before the task of a worker counts as done. */
  readonly checkTasks: boolean;
  readonly session: { readonly session: string; readonly learnings: string; readonly jobs: string };
  readonly cleanup: {
    /** So many bytes of git-ignored files are kept of a removed worktree, at most. */
    readonly keepIgnored: number;
  };
  readonly merge: { readonly sourceConflicts: 'stop' | 'checks'; readonly messagePrefix: string };
  readonly stack: {
    readonly trunk: string | undefined;
    readonly remote: string;
    readonly afterRebase: 'lease' | 'merge' | 'refuse';
  };
  /** `undefined` when the team has not asked for compose projects. */
  readonly compose: { readonly projectPattern: string } | undefined;
  /** The commands of each moment in the life of a worktree. */
  readonly hooks: Hooks;
  /** `undefined` when the team has not asked for ports. */
  readonly ports: PortSettings | undefined;
  /** Addresses of what runs in a worktree, by name, with placeholders. */
  readonly urls: Readonly<Record<string, string>>;
  /** Ignored folders that are build output as well, in the syntax of `.gitignore`. */
  readonly reclaim: readonly string[];
  readonly ignore: 'exclude' | 'gitignore';
  readonly trackingFile: string | undefined;
}

/** The file as it is written: every key optional, checked against the schema. */
interface Written extends WrittenPorts, WrittenHooks {
  worktree?: {
    location_pattern?: string;
    branch_pattern?: string;
    strategy?: 'subdirectory' | 'sibling';
    create_parent?: boolean;
    permissions?: string;
    auto_create?: 'prompt' | 'always' | 'never';
    auto_cleanup?: boolean;
    copy?: string[];
    share?: WrittenShare;
  };
  setup?: string[];
  checks?: string;
  check_tasks?: boolean;
  session?: { session?: string; learnings?: string; jobs?: string };
  cleanup?: { keep_ignored?: string | number };
  merge?: { source_conflicts?: 'stop' | 'checks'; message_prefix?: string };
  stack?: { trunk?: string; remote?: string; after_rebase?: 'lease' | 'merge' | 'refuse' };
  compose?: { project_pattern?: string } | null;
  reclaim?: string[];
  ignore?: 'exclude' | 'gitignore';
  tracking_file?: string;
  /** Only in the user's own file. */
  generate?: string | { run: string; timeout?: WrittenTime };
}

/** The configuration where there is no file. */
export const defaultConfiguration: Configuration = withDefaults({});

/**
 * Reads `.worktrees.yml` of a main root; the defaults where there is none.
 *
 * @throws Problem `unreadable-file` that names the line and the key.
 */
export async function readConfiguration(mainRoot: string): Promise<Configuration> {
  const file = join(mainRoot, configurationFile);
  const text = await readTextIfThere(file);
  return withDefaults(text === undefined ? {} : await parseConfiguration(text, file));
}

/** Whether the team has chosen a remote itself; `false` also where the file cannot be read. */
export async function choosesRemote(mainRoot: string): Promise<boolean> {
  const text = await readTextIfThere(join(mainRoot, configurationFile)).catch(() => undefined);
  if (text === undefined) return false;
  const { readYaml } = await import('../base/yamlText.ts');
  const { value } = readYaml(text);
  const stack = typeof value === 'object' && value !== null ? (value as Written).stack : undefined;
  return typeof stack?.remote === 'string';
}

/** What is wrong with a file that keeps to the schema. */
function faultsBeyondSchema(written: Written): SchemaFault[] {
  const { generate } = written;
  const time = typeof generate === 'object' ? generate.timeout : undefined;
  return [...faultsOfPorts(written), ...faultsOfHooks(written), ...faultsOfTime(['generate', 'timeout'], time)];
}

/**
 * Reads the text of a configuration file.
 *
 * @param keys those that the file may have; by default all.
 * @throws Problem `unreadable-file` that names the line and the key.
 */
export async function parseConfiguration(text: string, file: string, keys?: readonly string[]): Promise<Written> {
  // Loaded only where there is a file.
  const [{ readYaml }, { checkAgainst }, { configurationSchema }] = await Promise.all([
    import('../base/yamlText.ts'),
    import('../base/jsonSchema.ts'),
    import('./configurationSchema.ts'),
  ]);
  const yaml = readYaml(text);
  const fault = yaml.faults[0];
  if (fault) {
    throw new Problem(
      'unreadable-file',
      repositoryMessages.faultInLine({ file, line: fault.line, fault: fault.message }),
      {
        file,
        line: fault.line,
        next: repositoryMessages.correctYaml(),
      },
    );
  }
  // An empty section (`stack:` and nothing below) is how people leave defaults standing.
  const value = withoutNulls(yaml.value ?? {});
  const foreign = Object.keys(typeof value === 'object' && value !== null ? value : {}).filter(
    (key) => keys && !keys.includes(key),
  );
  const faults: SchemaFault[] = [
    ...foreign.map((key) => ({ path: [key], message: repositoryMessages.notInOwnFile() })),
    ...(keys || !isObject(value) || !('generate' in value)
      ? []
      : [{ path: ['generate'], message: repositoryMessages.onlyInOwnFile() }]),
    ...checkAgainst(configurationSchema, value),
  ];
  const [first, ...others] = faults.length > 0 ? faults : faultsBeyondSchema(value as Written);
  if (!first) return value as Written;
  const say = ({ path, message: fault }: SchemaFault): Message => {
    const line = yaml.lineOf(path);
    return path.length > 0
      ? repositoryMessages.faultOfKey({ line, key: path.join('.'), fault })
      : repositoryMessages.faultOfFile({ line, fault });
  };
  throw new Problem('unreadable-file', repositoryMessages.faultInFile({ file, fault: say(first) }), {
    file,
    line: yaml.lineOf(first.path),
    next: repositoryMessages.correctKeyNames(),
    items: others.map(say),
  });
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

function withDefaults(written: Written): Configuration {
  const { worktree = {}, session = {}, cleanup = {}, merge = {}, stack = {} } = written;
  const strategy = worktree.strategy ?? 'subdirectory';
  return {
    worktree: {
      locationPattern:
        worktree.location_pattern ?? (strategy === 'sibling' ? '../{project}-{slug}' : '.worktrees/{slug}'),
      branchPattern: worktree.branch_pattern ?? '{name}',
      strategy,
      createParent: worktree.create_parent ?? true,
      permissions: worktree.permissions === undefined ? undefined : Number.parseInt(worktree.permissions, 8),
      autoCreate: worktree.auto_create ?? 'prompt',
      autoCleanup: worktree.auto_cleanup ?? true,
      copy: worktree.copy ?? ['.env*'],
      share: shareRules(worktree.share),
    },
    setup: written.setup,
    checks: written.checks,
    checkTasks: written.check_tasks ?? false,
    session: {
      session: session.session ?? 'agents/session.md',
      learnings: session.learnings ?? 'agents/learnings.md',
      jobs: session.jobs ?? 'agents/jobs.md',
    },
    cleanup: { keepIgnored: parseByteSize(cleanup.keep_ignored ?? '20MB') ?? 0 },
    merge: { sourceConflicts: merge.source_conflicts ?? 'stop', messagePrefix: merge.message_prefix ?? '🔀' },
    stack: { trunk: stack.trunk, remote: stack.remote ?? 'origin', afterRebase: stack.after_rebase ?? 'lease' },
    compose: written.compose ? { projectPattern: written.compose.project_pattern ?? '{project}-{slug}' } : undefined,
    hooks: hooksOf(written),
    ports: portSettings(written),
    urls: written.urls ?? {},
    reclaim: written.reclaim ?? [],
    ignore: written.ignore ?? 'exclude',
    trackingFile: written.tracking_file,
  };
}
