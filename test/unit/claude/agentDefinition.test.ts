import assert from 'node:assert/strict';
import fc from 'fast-check';
import { agentDefinition, startsGuards, type AgentSubject } from '../../../src/core/claude/agentDefinition.ts';
import { readYaml } from '../../../src/core/base/yamlText.ts';

interface FrontMatter {
  readonly name: string;
  readonly description: string;
  readonly tools: string;
  readonly skills: readonly string[];
  readonly hooks: { readonly PreToolUse: readonly Guard[] };
}

interface Guard {
  readonly matcher: string;
  readonly hooks: readonly {
    readonly type: string;
    readonly command: string;
    readonly args: readonly string[];
    readonly timeout: number;
    readonly onFailure: string;
  }[];
}

const program = { launcher: '/repo/.worktrees/hooks/run', throughBash: false };
const subject: AgentSubject = {
  name: 'feature y',
  slug: 'feature-y',
  path: '/repo/.worktrees/feature-y',
  branch: 'feature/y',
};

/** Both the ways in which readers find the end of front matter: at a line of its own, and at the first three dashes. */
function frontMatterOf(text: string): FrontMatter {
  const byLine = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1];
  const byDashes = /^---\s*\n([\s\S]*?)---/.exec(text)?.[1];
  assert.equal(byDashes?.trimEnd(), byLine);
  const yaml = readYaml(byLine ?? '');
  assert.deepEqual(yaml.faults, []);
  return yaml.value as FrontMatter;
}

describe('a generated agent', () => {
  it('is called after the slug and offers nothing that starts another agent', () => {
    const { name, description, tools } = frontMatterOf(agentDefinition(subject, program));
    assert.equal(name, 'wt-feature-y');
    assert.equal(description, 'Worker agent scoped to worktree feature y');
    assert.equal(tools, 'Read, Edit, Write, NotebookEdit, Bash, Monitor, Grep, Glob');
  });

  it('guards every tool that writes, and blocks when a guard fails', () => {
    const { PreToolUse: guards } = frontMatterOf(agentDefinition(subject, program)).hooks;
    assert.deepEqual(
      guards.map(({ matcher }) => matcher),
      ['Edit|Write|NotebookEdit', 'Bash|Monitor'],
    );
    const [file, bash] = guards.map(({ hooks }) => hooks[0]);
    assert.deepEqual([file?.command, file?.args.slice(3)], ['sh', [program.launcher, 'file-guard', subject.path]]);
    assert.deepEqual(bash?.args.slice(3), [program.launcher, 'bash-guard', subject.path, 'feature/y']);
    // Claude Code fills in words of this form itself.
    assert.doesNotMatch(JSON.stringify([file?.args, bash?.args]), /\$\{/);
    for (const guard of [file, bash]) {
      assert.deepEqual([guard?.type, guard?.onFailure], ['command', 'block']);
      assert.ok(guard && guard.timeout <= 10);
    }
  });

  it('tells its worker where it is and what to use, as a shell takes it', () => {
    const text = agentDefinition(subject, program);
    assert.match(text, /\*\*Worktree path:\*\* \/repo\/\.worktrees\/feature-y\n/);
    assert.match(text, /\*\*Branch:\*\* feature\/y\n/);
    assert.match(text, /`wt push 'feature y'` - push to remote/);
    assert.match(text, /Never mark PRs as ready for review/);
  });

  it('starts its guards through Bash on Windows, every word quoted', () => {
    const windows = { launcher: "C:\\it's here\\.worktrees\\hooks\\run", throughBash: true };
    const { PreToolUse: guards } = frontMatterOf(
      agentDefinition({ ...subject, path: 'C:\\a b', branch: '$(x)' }, windows),
    ).hooks;
    const { command = '', ...rest } = guards[1]?.hooks[0] ?? {};
    assert.deepEqual(rest, { type: 'command', shell: 'bash', timeout: 10, onFailure: 'block' });
    const words = ` wt 'C:\\it'\\''s here\\.worktrees\\hooks\\run' bash-guard 'C:\\a b' '$(x)'`;
    assert.ok(command.startsWith("sh -c 'run=") && command.endsWith(words), command);
  });

  it('starts its guards through PowerShell where Windows has no Bash, with quotes that the batch file gets too', () => {
    const windows = {
      launcher: "C:\\it's here\\.worktrees\\hooks\\run",
      throughBash: true,
      batch: "C:\\it's here\\.worktrees\\hooks\\run.cmd",
    };
    const { PreToolUse: guards } = frontMatterOf(
      agentDefinition({ ...subject, path: 'C:\\R&D (x86)', branch: "it's" }, windows),
    ).hooks;
    const { command = '', ...rest } = guards[1]?.hooks[0] ?? {};
    assert.deepEqual(rest, { type: 'command', shell: 'powershell', timeout: 10, onFailure: 'block' });
    assert.ok(command.startsWith("$run = 'C:\\it''s here\\.worktrees\\hooks\\run.cmd'; "), command);
    assert.ok(command.includes(`& $run 'bash-guard' '"C:\\R&D (x86)"' '"it''s"'; exit $LASTEXITCODE`), command);
    assert.ok(command.endsWith('; exit 2'), 'it fails closed');
    assert.doesNotMatch(command, /\$\{/, 'Claude Code fills these in itself');
  });

  it('puts a backtick of a name into a longer fence', () => {
    assert.match(agentDefinition({ ...subject, name: 'a`b' }, program), /`` wt info 'a`b' ``/);
  });

  it('is valid for every name, path and branch, and gives them to the guards unchanged', () => {
    const odd = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...'"\'#:\n\r\t$`\\{}[]&*!|>%@-–\u2028\u0085\ufeffé😀 '),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(odd, odd, odd, (name, folder, branch) => {
        const path = `/repo/${folder}`;
        const { description, hooks } = frontMatterOf(agentDefinition({ name, slug: 'x', path, branch }, program));
        assert.equal(description, `Worker agent scoped to worktree ${name}`);
        assert.deepEqual(hooks.PreToolUse[1]?.hooks[0]?.args.slice(4), ['bash-guard', path, branch]);
        for (const throughBash of [false, true]) {
          const launcher = `C:\\${folder}\\run`;
          const text = agentDefinition({ name, slug: 'x', path, branch }, { launcher, throughBash });
          assert.ok(startsGuards(text, launcher) && startsGuards(text, launcher, { path, branch }));
          assert.ok(!startsGuards(text, `${launcher}x`) && !startsGuards(text, `x${launcher}`, { path, branch }));
          assert.ok(!startsGuards(text, launcher, { path: `${path}x`, branch }));
          assert.ok(!startsGuards(text, launcher, { path, branch: `${branch}x` }));
          assert.ok(branch === '' || !startsGuards(text, launcher, { path, branch: branch.slice(0, -1) }));
        }
      }),
    );
  });
});
