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
/** Verifies as a receiving site does, with the library by the authors of the method. */
const check = async (headers: Readonly<Record<string, string>>, url: URL, key: JsonWebKey) =>
  verify({ method: 'GET', url: url.href, headers }, await verifierFromJWK(key))

describe('a request of our fetcher', () => {
  it('is signed for its host, and identifies the sender', async () => {
    const signatures = open()
    const headers = signatures.sign(target)
    expect(headers['signature-agent']).toBe('"https://press.example"')
    expect(headers['signature-input']).toMatch(/^sig1=\("@authority" "signature-agent"\);.*tag="web-bot-auth"$/)
    await expect(check(headers, target, await readKey(signatures))).resolves.toBeUndefined()
  })

  it('cannot be verified for another host, under another name, or with another key', async () => {
    const headers = open().sign(target)
    const key = await readKey()
    await expect(check(headers, new URL('https://third.example/'), key)).rejects.toThrow()
    await expect(check({ ...headers, 'signature-agent': '"https://thief.example"' }, target, key)).rejects.toThrow()
    await expect(check(headers, target, await readKey(open('another secret, also of some length')))).rejects.toThrow()
  })

  it('is valid for five minutes', async () => {
    const key = await readKey()
    const old = open(undefined, () => Date.now() - 301_000).sign(target)
    await expect(check(old, target, key)).rejects.toThrow()
  })

  it('uses a permanent key of this installation, named by its thumbprint', async () => {
    const { kty, crv, x, kid, ...rest } = await readKey()
    expect(kid).toBe(createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url'))
    expect((await readKey()).kid).toBe(kid)
    expect(rest).not.toHaveProperty('d')
  })
})
