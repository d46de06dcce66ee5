import { environmentOf, type Environment } from '../../src/core/base/environment.ts';
import { Git } from '../../src/core/git/git.ts';
import { readConfiguration } from '../../src/core/repository/configuration.ts';
import { locate } from '../../src/core/repository/identity.ts';
import type { Workspace } from '../../src/core/worktree/workspace.ts';
import type { TestHome } from './tempRepo.ts';

/** The environment of a command that a person started in a folder of a throw-away home. */
export function testEnvironment(home: TestHome, cwd: string, variables: Record<string, string> = {}): Environment {
  return { ...environmentOf(process), variables: { ...home.variables, ...variables }, cwd };
}

/** A workspace on the repository that holds a folder, as the command line opens it there. */
export async function testWorkspace(home: TestHome, folder: string): Promise<Workspace> {
  const environment = testEnvironment(home, folder);
  const git = new Git(environment);
  const { repository } = await locate(git, folder);
  return { environment, git, repository, configuration: await readConfiguration(repository.mainRoot) };
}
