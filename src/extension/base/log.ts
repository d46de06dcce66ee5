import type { LogOutputChannel } from 'vscode';
import type { Log } from '../../core/base/log.ts';

/**
 * The output channel as the core's log. Git commands are shown at the channel's default level, so that after a failure they are
 * one click away and nobody has to reproduce it with another level.
 */
export function logTo(channel: LogOutputChannel): Log {
  return {
    debug: (message) => (message.startsWith('[git] ') ? channel.info(message) : channel.debug(message)),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message) => channel.error(message),
  };
}
