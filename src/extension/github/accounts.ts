import {
  l10n,
  workspace,
  type AuthenticationGetSessionOptions,
  type AuthenticationSession,
  type Memento,
} from 'vscode';
import type { Log } from '../../core/base/log.ts';
import { Problem, messageOf } from '../../core/base/problem.ts';
import type { HostedRepository } from '../../core/github/remoteUrl.ts';
import { findToken, type Token } from '../../core/github/tokens.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { verbatim } from '../../core/messages/message.ts';

/** Who holds the accounts: VS Code. */
export interface AccountHolder {
  getSession(
    provider: string,
    scopes: readonly string[],
    options: AuthenticationGetSessionOptions,
  ): Thenable<AuthenticationSession | undefined>;
}

/** How the token for a host was found when a person asked for something of it: with VS Code's account, or as `wt` finds it. */
type Source = 'account' | 'tools';

/** What the pull requests of private repositories, and the pushing of branches, take. */
const scopes = ['repo'];
const memory = 'worktreeStacks.signedIn';

/**
 * Finds the token for a host: VS Code's own account for GitHub, and where VS Code has none, what `wt` would use. Nobody is asked to sign in
 * but by a command; and before a person has used one that needs GitHub, no token is looked for at all. Tokens are kept in memory only as
 * long as a request takes them.
 */
export class Accounts {
  readonly #memento: Memento;
  readonly #log: Log;
  readonly #holder: () => AccountHolder;

  constructor(memento: Memento, log: Log, holder: () => AccountHolder) {
    this.#memento = memento;
    this.#log = log;
    this.#holder = holder;
  }

  /** Whether the person has used GitHub before, so that a silent lookup of tokens is expected. */
  get wasAsked(): boolean {
    return Object.keys(this.#sources()).length > 0;
  }

  /** The token for work that nobody asked for right now. Shows nothing and starts no program that was not used for it before. */
  async silent(repository: Workspace, at: HostedRepository, signal?: AbortSignal): Promise<Token | undefined> {
    const source = this.#sources()[at.host];
    if (source === undefined) return undefined;
    const token = await this.#fromAccount(at.host, { silent: true });
    return token ?? (source === 'tools' ? this.#fromTools(repository, at, signal) : undefined);
  }

  /**
   * The token for what a person has asked for; VS Code may ask them to sign in.
   *
   * @throws Problem `cancelled` when they do not want to, `no-token` with what would help.
   */
  async asked(repository: Workspace, at: HostedRepository, signal?: AbortSignal): Promise<Token> {
    const { host } = at;
    const known = await this.#fromAccount(host, { silent: true });
    if (known) return this.#remember(host, 'account', known);
    // Who has used these once is not asked again as long as they have a token.
    const before = this.#sources()[host] === 'tools' ? await this.#fromTools(repository, at, signal) : undefined;
    if (before) return before;
    const account = await this.#fromAccount(host, { createIfNone: true });
    if (account) return this.#remember(host, 'account', account);
    const other = await this.#fromTools(repository, at, signal);
    if (other) return this.#remember(host, 'tools', other);
    throw new Problem('no-token', verbatim(l10n.t('You are not signed in to {0}.', host)), {
      next: verbatim(
        host === 'github.com'
          ? l10n.t('sign in, then try again')
          : l10n.t(
              'name {0} in the setting `github-enterprise.uri`, or sign in to it with the GitHub command line',
              host,
            ),
      ),
      remedies: [{ kind: 'signIn' }],
      outcome: 'incomplete',
    });
  }

  #sources(): Readonly<Record<string, Source>> {
    return this.#memento.get<Readonly<Record<string, Source>>>(memory, {});
  }

  async #remember(host: string, source: Source, token: Token): Promise<Token> {
    const before = this.#sources();
    if (before[host] !== source) await this.#memento.update(memory, { ...before, [host]: source });
    return token;
  }

  async #fromAccount(host: string, options: AuthenticationGetSessionOptions): Promise<Token | undefined> {
    const provider = providerFor(host);
    if (provider === undefined) return undefined;
    try {
      const session = await this.#holder().getSession(provider, scopes, options);
      const renew = l10n.t("sign out of {0} in VS Code's accounts menu, and in again", host);
      return session && { value: session.accessToken, from: l10n.t("VS Code's account"), renew };
    } catch (thrown) {
      const words = messageOf(thrown);
      if (options.createIfNone && /consent|cancel/i.test(words)) throw Problem.cancelled();
      // Some builds of VS Code have no such accounts.
      this.#log.info(`VS Code has no account for ${host}: ${words}`);
      return undefined;
    }
  }

  #fromTools(
    { environment, git, repository }: Workspace,
    at: HostedRepository,
    signal: AbortSignal | undefined,
  ): Promise<Token | undefined> {
    return findToken(environment, git, at, repository.mainRoot, signal);
  }
}

/**
 * Which of VS Code's accounts is one of this host. That of an enterprise is only for the host that the person themselves has named: the
 * settings of a folder must not be able to send its token elsewhere.
 */
function providerFor(host: string): string | undefined {
  if (host === 'github.com') return 'github';
  const address = workspace.getConfiguration('github-enterprise').inspect<string>('uri')?.globalValue?.trim() ?? '';
  const named = URL.canParse(address) ? new URL(address).host : address.replace(/\/.*$/, '');
  return named !== '' && named === host ? 'github-enterprise' : undefined;
}
