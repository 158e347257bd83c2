import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toLogText } from '../../src/core/log.ts'
import { askMinimax, type MinimaxChoice } from '../../src/providers/ask-minimax.ts'
import { askProvider } from '../../src/providers/ask-provider.ts'
import { ProviderFailed } from '../../src/providers/provider-failed.ts'
import { minimaxError, openPretendMinimax } from '../support/pretend-minimax.ts'
import { openaiError, openPretendOpenai } from '../support/pretend-openai.ts'
import { htmlReply, jsonReply, type ProviderFault } from '../support/pretend-provider.ts'

let minimax: Awaited<ReturnType<typeof openPretendMinimax>>
let openai: Awaited<ReturnType<typeof openPretendOpenai>>
beforeEach(async () => {
  minimax = await openPretendMinimax()
  openai = await openPretendOpenai()
})
afterEach(async () => {
  await minimax.close()
  await openai.close()
})

const limits = { deadlineMs: 1500, maxBytes: 4_000_000 }
const picture = { model: 'image-01', prompt: 'a disc', aspect_ratio: '16:9', response_format: 'base64' }

const askTheOne = (change: Partial<MinimaxChoice> = {}, signal?: AbortSignal) =>
  askMinimax(
    { is: 'minimax', baseUrl: minimax.url, groupId: undefined, key: () => minimax.key, ...change },
    { ...limits, path: '/v1/image_generation', body: picture, ...(signal && { signal }) },
  )
const askTheOther = (key: string | undefined = openai.key) =>
  askProvider({
    ...limits,
    url: `${openai.url}/v1/images/generations`,
    key,
    body: { model: 'gpt-image-1', prompt: 'a disc', size: '1024x1024' },
  })

/** How a request to a provider failed: the kind of failure, and everything that would be logged of it. */
async function failureOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProviderFailed)) throw new Error('did not fail as providers do', { cause: error })
  return { kind: error.kind, logged: toLogText(error) }
}

const anywhere: [string, ProviderFault, ProviderFailed['kind']][] = [
  ['is silent', { is: 'silence' }, 'unavailable'],
  ['answers too late', { is: 'delay', ms: 4000 }, 'unavailable'],
  ['breaks off', { is: 'cut' }, 'unavailable'],
  ['never stops', { is: 'endless' }, 'unusable'],
  ['is overloaded', { is: 'instead', reply: htmlReply(503) }, 'unavailable'],
  ['limits the rate', { is: 'instead', reply: jsonReply({}, 429) }, 'unavailable'],
  ['knows no such path', { is: 'instead', reply: htmlReply(404) }, 'account'],
  [
    'sends us elsewhere',
    { is: 'instead', reply: { status: 302, headers: { location: '/' }, body: '' } },
    'unavailable',
  ],
]

describe('a provider', () => {
  it.each(anywhere)('that %s has failed with a known kind of failure', async (_, fault, kind) => {
    minimax.faults.push(fault)
    openai.faults.push(fault)
    expect((await failureOf(askTheOne())).kind).toBe(kind)
    expect((await failureOf(askTheOther())).kind).toBe(kind)
  })

  it('is asked only once, because a lost response may have cost money', async () => {
    minimax.faults.push({ is: 'cut' })
    await failureOf(askTheOne())
    expect(minimax.requests).toHaveLength(1)
  })

  it('is no longer waited for when the caller aborts, and the reason of the caller is thrown', async () => {
    minimax.faults.push({ is: 'silence' })
    await expect(askTheOne({}, AbortSignal.timeout(50))).rejects.toThrow('timeout')
  })
})

describe('MiniMax', () => {
  it('is asked with the key as a bearer, and with the group of older accounts', async () => {
    minimax.faults.push({ is: 'instead', reply: jsonReply({ base_resp: { status_code: 0 } }) })
    await askTheOne({ groupId: '1234' })
    expect(minimax.requests[0]?.headers['authorization']).toBe(`Bearer ${minimax.key}`)
    expect(minimax.requests[0]?.query.get('GroupId')).toBe('1234')
  })

  it.each([
    [1000, 'unavailable'],
    [1001, 'unavailable'],
    [1002, 'unavailable'],
    [1039, 'unavailable'],
    [1041, 'unavailable'],
    [2045, 'unavailable'],
    [1004, 'account'],
    [1008, 'account'],
    [2049, 'account'],
    [2013, 'account'],
    [1026, 'refused'],
    [1027, 'refused'],
    [1042, 'refused'],
    [424242, 'account'],
  ])('has failed with its code %i although HTTP says 200', async (code, kind) => {
    minimax.faults.push({ is: 'instead', reply: minimaxError(code) })
    const failure = await failureOf(askTheOne())
    expect(failure.kind).toBe(kind)
    expect(failure.logged).toContain(String(code))
    expect(failure.logged).not.toContain(minimax.key)
  })

  it.each([
    ['a page', htmlReply()],
    ['nothing', { body: '' }],
    ['JSON of another shape', jsonReply({ data: {} })],
  ])('has failed when it sends %s', async (_, reply) => {
    minimax.faults.push({ is: 'instead', reply })
    expect((await failureOf(askTheOne())).kind).toBe('unusable')
  })
})

describe("a service that speaks OpenAI's protocol", () => {
  it.each([
    [401, 'invalid_api_key', 'account'],
    [403, null, 'account'],
    [429, 'rate_limit_exceeded', 'unavailable'],
    [429, 'insufficient_quota', 'account'],
    [400, 'moderation_blocked', 'refused'],
    [400, 'content_policy_violation', 'refused'],
    [400, 'invalid_value', 'account'],
    [500, 'server_error', 'unavailable'],
  ] as const)('has failed with %i %s', async (status, code, kind) => {
    openai.faults.push({ is: 'instead', reply: openaiError(status, code) })
    const failure = await failureOf(askTheOther())
    expect(failure.kind).toBe(kind)
    expect(failure.logged).not.toContain(openai.key)
  })

  it('is asked without a key where there is none', async () => {
    openai.faults.push({ is: 'instead', reply: jsonReply({}) })
    await askProvider({ ...limits, url: `${openai.url}/v1/images/generations`, key: undefined, body: {} })
    expect(openai.requests[0]?.headers['authorization']).toBeUndefined()
  })
})
