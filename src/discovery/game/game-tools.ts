import type { FreeTable } from '../free-operation.ts'

const message = { $ref: '#/components/schemas/JsonRpcMessage' }
const answers = {
  'application/json': { schema: message },
  'text/event-stream': { schema: { type: 'string' } },
}
const call = {
  schema: message,
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
}
const refusals = {
  202: { description: 'A notification was taken' },
  400: { description: 'It is no message that this revision knows', content: answers },
  403: { description: 'The Host or the Origin is not one of this server', content: answers },
  404: { description: 'The session is over', content: answers },
  406: { description: 'The answer would be neither JSON nor a stream of events', content: answers },
  415: { description: 'The message is not JSON', content: answers },
}
const toBrowser = { 303: { description: 'For browsers: the page that explains it, /mcp.html' } }
const listen = {
  400: { description: 'There is no session to listen to', content: answers },
  405: { description: 'Nobody needs to listen: every answer comes with its call', content: answers },
}
const over = {
  400: { description: 'No session was named', content: answers },
  404: { description: 'The session is over', content: answers },
  405: { description: 'There are no sessions in this revision', content: answers },
}

/** The tool server: one endpoint, at two addresses. */
export const gameTools: FreeTable = {
  '/mcp': {
    id: 'listen-to-tools',
    summary: 'Listen to the tool server (Streamable HTTP)',
    answer: 'A stream of events',
    content: answers,
    responses: { ...toBrowser, ...listen },
  },
  'POST /mcp': {
    id: 'call-tools',
    summary: 'Call the tool server: dungeon_join, dungeon_look, dungeon_action',
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
    summary: 'How a program begins, by tools',
    answer: 'The descriptor of the game, with a configuration for MCP clients',
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/GameAccess' } },
      'text/event-stream': { schema: { type: 'string' } },
    },
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
}
