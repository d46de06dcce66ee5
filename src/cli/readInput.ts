/** How long, in milliseconds, to wait for input that does not end. */
const patience = 2000;

/**
 * What is piped into the process; empty when it is a terminal. A caller that never closes the pipe must not make a hook hang: what has
 * come after two seconds of silence counts.
 */
export async function readHookInput(stream: NodeJS.ReadStream): Promise<string> {
  if (stream.isTTY) return '';
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    const giveUp = setTimeout(resolve, patience);
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      giveUp.refresh();
    });
    stream.once('end', resolve).once('error', resolve);
    stream.once('close', () => clearTimeout(giveUp));
  });
  stream.destroy();
  return Buffer.concat(chunks).toString('utf8');
}

/** All of what is piped into the process, however long it takes. */
export async function readAllInput(stream: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
