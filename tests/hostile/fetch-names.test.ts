import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFindAddresses } from '../../src/fetching/find-addresses.ts'
import { openPretendDns } from '../support/pretend-dns.ts'
import { openPretendWeb, type PretendWeb } from '../support/pretend-web.ts'
import { deadAddress, watchFetch } from '../support/watched-fetch.ts'

const good = '93.184.216.34'
const other = '93.184.216.35'
const goodIpv6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c'
const host = 'stranger.example'
const url = `https://${host}/`

let web: PretendWeb
let dns: Awaited<ReturnType<typeof openPretendDns>>
beforeAll(async () => {
  web = await openPretendWeb({
    [host]: { '/': 'here', '/again': { status: 302, headers: { location: '/' } } },
  })
  dns = await openPretendDns({})
})
afterAll(async () => {
  dns.close()
  await web.close()
})

const watch = () => watchFetch(web, { dnsServer: dns.server })
const answering = (...addresses: readonly string[]) => watchFetch(web, { findAddresses: async () => addresses })

describe('a name whose addresses are not all public', () => {
  it.each([
    ['one private address', { ipv4: ['127.0.0.1'] }],
    ['a public and a private address', { ipv4: [good, '10.0.0.1'] }],
    ['a private address after hundreds of public ones', { ipv4: [...Array<string>(400).fill(good), '10.0.0.1'] }],
    ['a private IPv6 beside a public IPv4 address', { ipv4: [good], ipv6: ['fd00::1'] }],
    ['an IPv4 address written as IPv6', { ipv4: [good], ipv6: ['::ffff:10.0.0.1'] }],
    ['a NAT64 address', { ipv6: ['64:ff9b::a00:1'] }],
    ['an alias of a name with a private address', { alias: 'db.internal' }],
  ])('is refused whole: %s', async (_, records) => {
    dns.know('db.internal', { ipv4: ['10.0.0.1'] })
    dns.know(host, records)
    const { failure, dialled, sockets } = watch()
    expect(await failure(url)).toBe('refused')
    expect([dialled, sockets()]).toEqual([[], 0])
  })

  it.each([
    ['a name', 'inside.example'],
    ['an address with a scope', 'fe80::1%eth0'],
    ['a public address with a scope', `${goodIpv6}%eth0`],
  ])('is refused when the resolver gives %s for an address', async (_, answer) => {
    const { failure, dialled } = answering(answer)
    expect([await failure(url), dialled]).toEqual(['refused', []])
  })
})

describe('a name that cannot be resolved', () => {
  it.each([
    ['does not exist', { code: 'NXDOMAIN' as const }],
    ['cannot be looked up', { code: 'SERVFAIL' as const }],
    ['has no address', {}],
    ['is an alias of itself', { alias: host }],
  ])('is unresolvable when it %s', async (_, records) => {
    dns.know(host, records)
    const { failure, dialled } = watch()
    expect([await failure(url), dialled]).toEqual(['unresolvable', []])
  })

  it('is given up after five seconds, or earlier at the deadline of the request', async () => {
    dns.know(host, { silent: true })
    const { failure } = watch()
    expect(await failure(url, { deadlineMs: 500 })).toBe('timeout')
    expect(await failure(url, { deadlineMs: 15_000 })).toBe('unresolvable')
  })
})

describe('a name whose addresses change (DNS rebinding)', () => {
  it('is looked up once, and the connection goes to the address that was checked', async () => {
    let lookups = 0
    const { get, dialled } = watchFetch(web, {
      async findAddresses() {
        lookups += 1
        return lookups === 1 ? [good] : ['127.0.0.1']
      },
    })
    expect((await get(url)).status).toBe(200)
    expect([lookups, dialled]).toEqual([1, [`${good}:443`]])
  })

  it('is looked up and checked again for a redirect', async () => {
    let lookups = 0
    const { failure, dialled } = watchFetch(web, {
      async findAddresses() {
        lookups += 1
        return lookups === 1 ? [good] : ['127.0.0.1']
      },
    })
    expect(await failure(`${url}again`)).toBe('refused')
    expect([lookups, dialled]).toEqual([2, [`${good}:443`]])
  })
})

describe('a name with several addresses', () => {
  it('is tried at the next one when the first does not answer', async () => {
    dns.know(host, { ipv4: [deadAddress, good] })
    const { get, dialled } = watch()
    expect((await get(url)).status).toBe(200)
    expect(new Set(dialled)).toContain(`${good}:443`)
  })

  it('is tried at no other address when one responds with a certificate that is not trusted', async () => {
    web.fail(host, { is: 'certificate', certified: web.ca.certify(host, 'expired') })
    const { failure, dialled } = answering(good, other)
    expect([await failure(url), dialled]).toEqual(['certificate', [`${good}:443`]])
    web.fail(host, undefined)
  })

  it('is tried at no address once the caller has aborted', async () => {
    const gone = new AbortController()
    const { get, dialled } = watchFetch(web, {
      async findAddresses() {
        gone.abort(new Error('the buyer left'))
        return [good, other]
      },
    })
    await expect(get(url, { signal: gone.signal })).rejects.toThrow('the buyer left')
    expect(dialled).toEqual([])
  })

  it('is tried at no other address when the caller aborts while one does not respond', async () => {
    web.fail(host, { is: 'plain', speak: () => {} })
    const { get, dialled } = answering(good, other)
    const gone = new AbortController()
    setTimeout(() => gone.abort(new Error('the buyer left')), 50)
    await expect(get(url, { signal: gone.signal })).rejects.toThrow('the buyer left')
    expect(dialled).toEqual([`${good}:443`])
    web.fail(host, undefined)
  })

  it('is tried at four of five hundred addresses, and no more', async () => {
    const { failure, dialled } = answering(...Array<string>(500).fill(deadAddress))
    expect([await failure(url), dialled.length]).toEqual(['unreachable', 4])
  })

  it('is looked up over TCP when the addresses do not fit into one packet, and through an alias', async () => {
    dns.know('alias.example', { ipv4: Array<string>(500).fill(other) })
    dns.know(host, { alias: 'alias.example' })
    const { get, dialled } = watch()
    expect((await get(url)).status).toBe(200)
    expect(dialled).toEqual([`${other}:443`])
  })

  it('is tried at IPv4 and IPv6 addresses in turn', async () => {
    dns.know(host, { ipv4: [deadAddress, deadAddress], ipv6: [goodIpv6] })
    const { get, dialled } = watch()
    expect((await get(url)).status).toBe(200)
    expect(dialled).toEqual([`${deadAddress}:443`, `[${goodIpv6}]:443`])
  })
})

it('asks DNS and ignores the hosts file of this machine', async () => {
  dns.know('localhost', { ipv4: [good] })
  const found = await makeFindAddresses([dns.server])('localhost', AbortSignal.timeout(5000))
  expect(found).toEqual([good])
})
