import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of a tool that the script makes the model ask for. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One answer of the scripted model. Without tools it ends the model's turn. */
export interface Turn {
  readonly text?: string;
  readonly tools?: readonly ToolCall[];
}

/** The answers for one conversation, told apart from others by what the model can read in it. */
export interface Route {
  readonly when?: RegExp;
  readonly unless?: RegExp;
  /** Given one after the other, each once. */
  readonly turns: readonly Turn[];
}

/** A request that the client made for an answer of the model. */
export interface ModelRequest {
  /** Everything that the model would read: system prompt, messages, results of tools. */
  readonly text: string;
  /** The names of the tools it is offered. */
  readonly tools: readonly string[];
  /** The results of tools, in order, as far as they are text. */
  readonly results: readonly ToolResult[];
}

/** What the client tells the model of a tool's run. */
export interface ToolResult {
  readonly text: string;
  readonly failed: boolean;
}

/** A running stand-in for the Messages API. */
export interface MessagesServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/**
 * Starts a stand-in for the Messages API on this machine's loopback only. It plays a script back: the real client can then be
 * driven without an account, a model or a network.
 */
export async function startMessagesServer(routes: readonly Route[]): Promise<MessagesServer> {
  const requests: ModelRequest[] = [];
  const given = new Map<Route, number>();
  const nextTurn = (request: ModelRequest): Turn => {
    // Side requests of the client (a title for the session and the like) offer no tools; no turn is spent on them.
    if (request.tools.length === 0) return { text: 'ok' };
    const route = routes.find(({ when, unless }) => (!when || when.test(request.text)) && !unless?.test(request.text));
    if (!route) return { text: 'ok' };
    const turn = given.get(route) ?? 0;
    given.set(route, turn + 1);
    return route.turns[turn] ?? { text: 'ok' };
  };
  const server = createServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      if (incoming.method !== 'POST' || !incoming.url?.startsWith('/v1/messages'))
        return answer(response, incoming.method === 'HEAD' ? 200 : 404, {});
      if (incoming.url.startsWith('/v1/messages/count_tokens')) return answer(response, 200, { input_tokens: 10 });
      const request = toRequest(body);
      requests.push(request);
      sendTurn(response, body, nextTurn(request));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
}

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly system?: string | readonly Block[];
  readonly messages?: readonly { readonly content: string | readonly Block[] }[];
  readonly tools?: readonly { readonly name: string }[];
}

async function readBody(incoming: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return (text === '' ? {} : JSON.parse(text)) as Body;
}

function toRequest(body: Body): ModelRequest {
  const contents = (body.messages ?? []).map((message) => message.content);
  return {
    text: [body.system ?? '', ...contents].map(textOf).join('\n'),
    tools: (body.tools ?? []).map((tool) => tool.name),
    results: contents.flatMap((content) =>
      typeof content === 'string'
        ? []
        : content
            .filter((block) => block.type === 'tool_result')
            .map((block) => ({ text: textOf(block.content ?? ''), failed: block.is_error === true })),
    ),
  };
}

function textOf(content: string | readonly Block[]): string {
  if (typeof content === 'string') return content;
  return content.map((block) => block.text ?? (block.content === undefined ? '' : textOf(block.content))).join('\n');
}

function answer(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

let lastId = 0;
const newId = (kind: string): string => `${kind}_test${String(++lastId).padStart(6, '0')}`;

function sendTurn(response: ServerResponse, body: Body, turn: Turn): void {
  const tools = (turn.tools ?? []).map((tool) => ({ type: 'tool_use', id: newId('toolu'), ...tool }));
  const text = turn.text === undefined && tools.length > 0 ? [] : [{ type: 'text', text: turn.text ?? 'ok' }];
  const content = [...text, ...tools];
  const ending = { stop_reason: tools.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const message = { id: newId('msg'), type: 'message', role: 'assistant', model: body.model };
  if (body.stream !== true) return answer(response, 200, { ...message, content, ...ending, usage });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object): boolean =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } });
  content.forEach((block, index) => {
    const delta =
      'text' in block
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify('input' in block ? block.input : {}) };
    send('content_block_start', {
      index,
      content_block: 'text' in block ? { type: 'text', text: '' } : { ...block, input: {} },
    });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  });
  send('message_delta', { delta: ending, usage });
  send('message_stop', {});
  response.end();
}
