/** What Claude Code tells a hook on standard input, as far as we use it. Everything may be missing: versions differ. */
export interface HookInput {
  readonly session_id?: string;
  readonly transcript_path?: string;
  readonly cwd?: string;
  readonly hook_event_name?: string;
  /** Why a session starts (`startup`, `resume`, …) or what happens otherwise. */
  readonly source?: string;
  readonly reason?: string;
  /** The agent: of the whole session with `--agent`, of a sub-agent, or a team-mate's name. */
  readonly agent_type?: string;
  /** Only inside a sub-agent or a team-mate. */
  readonly agent_id?: string;
  readonly teammate_name?: string;
  readonly tool_name?: string;
  readonly tool_input?: ToolInput;
  readonly tool_use_id?: string;
  readonly notification_type?: string;
  /** WorktreeCreate: the name for the worktree. */
  readonly name?: string;
  /** WorktreeRemove: the folder to remove. */
  readonly worktree_path?: string;
}

/** The arguments of a tool, as the model gave them. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** The keys whose values are text. */
const texts = [
  'session_id',
  'transcript_path',
  'cwd',
  'hook_event_name',
  'source',
  'reason',
  'agent_type',
  'agent_id',
  'teammate_name',
  'tool_name',
  'tool_use_id',
  'notification_type',
  'name',
  'worktree_path',
] as const;

/**
 * Parses what Claude Code wrote to a hook's standard input. A key with a value of the wrong type is left out; text that is no JSON
 * object gives an empty input, which every guard denies.
 */
export function parseHookInput(text: string): HookInput {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return {};
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const given = value as Record<string, unknown>;
  const input: Record<string, unknown> = {};
  for (const key of texts) if (typeof given[key] === 'string') input[key] = given[key];
  const tool = given['tool_input'];
  if (typeof tool === 'object' && tool !== null && !Array.isArray(tool)) input['tool_input'] = tool;
  return input;
}
