import type { FreeTable } from './free-operation.ts'

const message = { $ref: '#/components/schemas/JsonRpcMessage' }
const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
const answers = {
  'application/json': { schema: message },
  'text/event-stream': { schema: { type: 'string' } },
}
const call = {
  schema: message,
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
}
/** OAuth and JSON-RPC both say what is wrong in `error`. */
const refusal = { 'application/json': { schema: { type: 'object', required: ['error'] } } }
const refusals = {
  202: { description: 'A notification was taken' },
  400: { description: 'It is no message that this revision knows', content: answers },
  401: {
    description: 'A tool of the operator needs a token; WWW-Authenticate says where it is got',
    content: refusal,
  },
  403: {
    description: 'The Host or the Origin is not one of this server, or the token does not allow it',
    content: refusal,
  },
  404: { description: 'The session is over', content: answers },
  406: { description: 'The answer would be neither JSON nor a stream of events', content: answers },
  415: { description: 'The message is not JSON', content: answers },
}
const toBrowser = { 303: { description: 'For browsers: the page that explains it' } }
/** Of either program. */
const descriptor = {
  'application/json': {
    schema: { anyOf: [{ $ref: '#/components/schemas/GameAccess' }, { $ref: '#/components/schemas/ToolServer' }] },
  },
  'text/event-stream': { schema: { type: 'string' } },
}
const listen = {
  400: { description: 'There is no session to listen to', content: answers },
  405: { description: 'Nobody needs to listen: every answer comes with its call', content: { ...answers, ...problem } },
}
const over = {
  400: { description: 'No session was named', content: answers },
  404: { description: 'The session is over', content: answers },
  405: { description: 'There are no sessions in this revision', content: { ...answers, ...problem } },
}

const card = {
  answer: 'Name, title, version and endpoint of the tool server',
  content: {
    'application/json': { schema: { type: 'object', required: ['name', 'version', 'serverInfo', 'remotes'] } },
  },
  isFile: true,
}

/**
 * The tool servers, which both programs have: the site's reads, searches and sells, the game's plays. Each is one
 * endpoint at two addresses.
 */
export const toolOperations: FreeTable = {
  '/mcp': {
    id: 'listen-to-tools',
    summary: 'Listen to the tool server (Streamable HTTP)',
    answer: 'A descriptor; on the game host, a stream of events for who has a session',
    content: descriptor,
    responses: { ...toBrowser, ...listen },
  },
  'POST /mcp': {
    id: 'call-tools',
    summary: 'Call a tool, or ask which there are',
    answer: 'The answer to the message',
    content: answers,
    body: call,
    problems: ['body-too-large'],
    responses: refusals,
  },
  'DELETE /mcp': {
    id: 'end-tools',
    summary: 'End a session of the tool server',
    answer: 'The session is over',
    content: answers,
    responses: over,
  },
  '/api/mcp': {
    id: 'get-tools',
    summary: 'Where to connect, and which tools there are',
    answer: 'A descriptor with a configuration for MCP clients; on the game host the descriptor of the game',
    content: descriptor,
    responses: { ...toBrowser, ...listen },
  },
  'POST /api/mcp': {
    id: 'call-tools-by-pointer',
    summary: 'The same endpoint as /mcp',
    answer: 'The answer to the message',
    content: answers,
    body: call,
    problems: ['body-too-large'],
    responses: refusals,
  },
  'DELETE /api/mcp': {
    id: 'end-tools-by-pointer',
    summary: 'The same endpoint as /mcp',
    answer: 'The session is over',
    content: answers,
    responses: over,
  },
  '/.well-known/mcp/server-card.json': { id: 'get-server-card', summary: 'The card of the tool server', ...card },
  '/.well-known/mcp/server-cards.json': { id: 'get-server-cards', summary: 'The same, for other readers', ...card },
  '/.well-known/mcp.json': { id: 'get-mcp-card', summary: 'The same, for earlier readers', ...card },
}
