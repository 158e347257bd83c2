import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verify } from 'web-bot-auth'
import { verifierFromJWK } from 'web-bot-auth/crypto'
import { makeRequestSignatures } from '../../src/fetching/request-signatures.ts'

const agent = 'https://press.example'
const target = new URL('https://other.example/page?x=1')
const open = (secret = 'a secret of thirty-two characters', now = Date.now) =>
  makeRequestSignatures({ secret, agent, now })

const readKey = async (signatures = open()) => {
  const { keys } = await signatures.directory().json()
  return keys[0]
}
/** What a site does that was asked, by the program that the authors of the method publish. */
const check = async (headers: Readonly<Record<string, string>>, url: URL, key: JsonWebKey) =>
  verify({ method: 'GET', url: url.href, headers }, await verifierFromJWK(key))

describe('a request of our own fetcher', () => {
  it('is signed for the host that it goes to, and names who asks', async () => {
    const signatures = open()
    const headers = signatures.sign(target)
    expect(headers['signature-agent']).toBe('"https://press.example"')
    expect(headers['signature-input']).toMatch(/^sig1=\("@authority" "signature-agent"\);.*tag="web-bot-auth"$/)
    await expect(check(headers, target, await readKey(signatures))).resolves.toBeUndefined()
  })

  it('cannot be shown to another host, nor in another name, nor with another key', async () => {
    const headers = open().sign(target)
    const key = await readKey()
    await expect(check(headers, new URL('https://third.example/'), key)).rejects.toThrow()
    await expect(check({ ...headers, 'signature-agent': '"https://thief.example"' }, target, key)).rejects.toThrow()
    await expect(check(headers, target, await readKey(open('another secret, also of some length')))).rejects.toThrow()
  })

  it('is good for five minutes', async () => {
    const key = await readKey()
    const old = open(undefined, () => Date.now() - 301_000).sign(target)
    await expect(check(old, target, key)).rejects.toThrow()
  })

  it('has a key of this installation that stays the same, named by its thumbprint', async () => {
    const { kty, crv, x, kid, ...rest } = await readKey()
    expect(kid).toBe(createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url'))
    expect((await readKey()).kid).toBe(kid)
    expect(rest).not.toHaveProperty('d')
  })
})
