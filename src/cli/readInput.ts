/** How long to wait for more input (ms). */
const patience = 2000;

/**
 * Standard input; empty when it is a terminal. A caller that never closes the pipe must not make a hook hang: after two seconds of
 * silence, the input so far counts.
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

/** All of standard input, however long it takes. */
export async function readAllInput(stream: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
