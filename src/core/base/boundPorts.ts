import { createServer } from 'node:net';
import { errorCode } from './problem.ts';

/** The addresses at which a program that serves this machine listens: loopback and all, of IPv4 and of IPv6. */
const addresses = ['127.0.0.1', '0.0.0.0', '::1', '::'];

/**
 * Whether a port can be listened on now: nobody else does, at none of the addresses. Looked at by listening there for a moment, which
 * every system answers truly. Where we may not even look, as in a sandbox without sockets, a port counts as free.
 */
export async function isPortFree(port: number): Promise<boolean> {
  // One after the other: our own socket at one address would be in the way of that at another.
  for (const host of addresses) if (!(await canListen(port, host))) return false;
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (thrown) => {
      server.close();
      // Windows and macOS keep ports for themselves, too, and say EACCES of them.
      resolve(!['EADDRINUSE', 'EACCES'].includes(errorCode(thrown) ?? ''));
    });
    server.listen({ port, host, exclusive: true, ipv6Only: host.includes(':') }, () =>
      server.close(() => resolve(true)),
    );
  });
}
