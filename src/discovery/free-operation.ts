import type { ProblemKind } from '../problem-kinds.ts'
import { toProblemResponses } from './problem-responses.ts'

/** What a free document may answer besides 200. */
export const freeProblems: readonly ProblemKind[] = ['rate-limited', 'internal-error']

interface Sent {
  readonly schema: object
  readonly example: unknown
}

/** An operation that needs no payment, with what every free one has left out. */
export interface Free {
  readonly id: string
  readonly summary: string
  readonly answer: string
  readonly content: Record<string, object>
  readonly parameters?: readonly object[]
  /** Of success; 200 when absent. */
  readonly status?: number
  /** Of the JSON that is sent. */
  readonly body?: Sent
  /** Of the form that is sent. */
  readonly form?: Sent
  readonly problems?: readonly ProblemKind[]
  /** Answers that only this route gives. */
  readonly responses?: Readonly<Record<number, object>>
  /** It lies on disk: a part of it can be asked for. */
  readonly isFile?: boolean
  /** It has an `ETag`, which spares who has it the sending. */
  readonly isTagged?: boolean
}

/** Operations by path (for GET), or by method and path as in `POST /api/wall`. */
export type FreeTable = Readonly<Record<string, Free>>

const unchanged = { 304: { description: 'If-None-Match named what is here: nothing has changed' } }

const partial = (content: Free['content']) => ({
  206: { description: 'The bytes that were asked for', content },
  416: { $ref: '#/components/responses/RangeNotSatisfiable' },
})

const toOperation = (tag: string, free: Free) => ({
  operationId: free.id,
  tags: [tag],
  summary: free.summary,
  security: [],
  ...(free.parameters && { parameters: free.parameters }),
  ...((free.body || free.form) && {
    requestBody: {
      required: true,
      content: {
        ...(free.body && { 'application/json': free.body }),
        ...(free.form && { 'application/x-www-form-urlencoded': free.form }),
      },
    },
  }),
  responses: {
    [free.status ?? 200]: { description: free.answer, content: free.content },
    ...((free.isTagged || free.isFile) && unchanged),
    ...(free.isFile && partial(free.content)),
    ...free.responses,
    ...toProblemResponses([...(free.problems ?? []), ...freeProblems]),
  },
})

type Servers = readonly { readonly url: string }[]
type FreePath = { readonly servers?: Servers } & Partial<
  Record<'get' | 'post' | 'delete', ReturnType<typeof toOperation>>
>

/** The OpenAPI `paths` of a table; `servers` where they are not those of the whole document. */
export function toFreePaths(table: FreeTable, tag: string, servers?: Servers): Record<string, FreePath> {
  const paths: Record<string, FreePath> = {}
  for (const [key, free] of Object.entries(table)) {
    const [, method = 'GET', path = ''] = /^(?:([A-Z]+) )?(\/.*)$/.exec(key) ?? []
    paths[path] = {
      ...(servers && { servers }),
      ...paths[path],
      [method.toLowerCase()]: toOperation(tag, free),
    }
  }
  return paths
}
