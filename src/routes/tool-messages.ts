import { z } from 'zod'
import { documents } from '../core/json-schema.ts'
import { operation } from './declare.ts'
import { json } from './oauth-requests.ts'
import type { Operation } from './route.ts'

const message = z.looseObject({ jsonrpc: z.literal('2.0') }).register(documents, {
  name: 'JsonRpcMessage',
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
})
const error = json('error')

/** The response of an MCP server: a message, or a stream of messages. */
const messages = { 'application/json': message, 'text/event-stream': { type: 'string' } }
const said = (description: string) => ({ description, answer: messages })

const orProblem = (description: string) => ({
  description,
  answer: { ...messages, 'application/problem+json': { $ref: '#/components/schemas/Problem' } },
})

/** The response to browsers, which cannot call tools. */
const toItsPage = { 303: { description: 'For browsers: the page that explains it' } }

/** Request and responses of a tool call, the same for both programs. */
const calling = {
  body: { schema: message, example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } },
  responses: {
    202: { description: 'A notification was taken' },
    400: said('It is no message that this revision knows'),
    403: {
      description: 'The Host or the Origin is not one of this server, or the token does not allow it',
      answer: error,
    },
    406: said('The answer would be neither JSON nor a stream of events'),
    413: orProblem('The message is longer than any that is understood'),
    415: said('The message is not JSON'),
  },
} satisfies Partial<Operation>

/** A further response of the site, because only the site has operator's tools. */
const needsToken = {
  401: { description: 'A tool of the operator needs a token; WWW-Authenticate says where it is got', answer: error },
}

/** Responses about sessions: only the game has them, and only for clients of the 2025 revisions of MCP. */
const sessionOver = { 404: said('The session is over') }
const noRoom = { 503: said('Every session is taken; Retry-After says when to try again') }
const listening = {
  400: said('There is no session to listen to'),
  406: said('A session is listened to as a stream of events'),
  405: orProblem('Nobody needs to listen: every answer comes with its call'),
}
const ending = {
  400: said('No session was named'),
  405: orProblem('There are no sessions in this revision'),
}

/** The operation that calls a tool. */
const call = (id: string, responses: Operation['responses']): Operation =>
  operation(id, messages, 'Call of a tool: a call, or the question which tools there are', {
    ...calling,
    responses: { ...calling.responses, ...responses },
  })

/** The operations of an MCP server at each of its addresses, besides the answer to GET. */
export const siteTools = (place = '') => ({
  responses: { ...toItsPage, 405: listening[405] },
  also: { POST: call(`call-tools${place}`, needsToken) },
})
export const gameTools = (place = '') => ({
  responses: { ...toItsPage, ...listening, ...sessionOver },
  also: {
    POST: call(`call-tools${place}`, { ...sessionOver, ...noRoom }),
    DELETE: operation(`end-tools${place}`, messages, 'End of a session of the tools', {
      responses: { ...ending, ...sessionOver },
    }),
  },
})
