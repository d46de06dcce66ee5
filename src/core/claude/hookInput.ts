import { nativePath } from './nativePath.ts';

/** The keys of a hook's input whose values are text. */
const texts = [
  'session_id',
  'transcript_path',
  'cwd',
  'hook_event_name',
  // Why a session starts (`startup`, `resume`, …) or what happens otherwise.
  'source',
  'reason',
  // The agent: of the whole session with `--agent`, of a sub-agent, or a team-mate's name.
  'agent_type',
  // Only inside a sub-agent or a team-mate.
  'agent_id',
  'teammate_name',
  'tool_name',
  'tool_use_id',
  'notification_type',
  // WorktreeCreate: the name for the worktree.
  'name',
  // WorktreeRemove: the folder to remove.
  'worktree_path',
] as const;

/** The arguments of a tool, as the model gave them. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** What Claude Code writes to a hook's standard input, as far as we use it. Everything may be missing: versions differ. */
export type HookInput = { readonly [Key in (typeof texts)[number]]?: string } & { readonly tool_input?: ToolInput };

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
  if (typeof input['cwd'] === 'string') input['cwd'] = nativePath(input['cwd']);
  const tool = given['tool_input'];
  if (typeof tool === 'object' && tool !== null && !Array.isArray(tool)) input['tool_input'] = tool;
  return input;
}
