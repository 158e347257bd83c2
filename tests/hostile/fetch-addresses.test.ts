import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUrlRefusal } from '../../src/fetching/public-https-url.ts'
import { openPretendDns } from '../support/pretend-dns.ts'
import { openPretendWeb, type PretendWeb } from '../support/pretend-web.ts'
import { watchFetch } from '../support/watched-fetch.ts'

const good = '93.184.216.34'
let web: PretendWeb
let dns: Awaited<ReturnType<typeof openPretendDns>>
beforeAll(async () => {
  web = await openPretendWeb({ 'example.com': { '/': 'good' }, 'start.example': {} })
  dns = await openPretendDns({ 'example.com': { ipv4: [good] }, 'start.example': { ipv4: [good] } })
})
afterAll(async () => {
  dns.close()
  await web.close()
})

const loopbackSpellings = [
  ...['https://127.0.0.1/', 'https://127.1/', 'https://127.0.1/', 'https://2130706433/', 'https://0x7f000001/'],
  ...['https://0x7f.0.0.1/', 'https://0177.0.0.1/', 'https://017700000001/', 'https://127.0.0.1./'],
  ...['https://①②⑦.⓪.⓪.①/', 'https://127。0。0。1/', 'https://%31%32%37.0.0.1/', String.raw`https:/\127.0.0.1/`],
  ...[String.raw`https:\\127.0.0.1\ `.trim(), 'https:///127.0.0.1/'],
]
const specialIpv4 = [
  ...['0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...['100.100.100.200', '192.0.0.192', '198.18.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
].map((host) => `https://${host}/`)
const ipv6 = [
  ...['::', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::a9fe:a9fe', '2002:7f00:1::', '2002:808:808::1'],
  ...['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'fe80::1', 'fe80::1%25eth0', 'fec0::1', 'fc00::1', 'fd00:ec2::254'],
  ...['ff02::1', '100::1', '2001:db8::1', '3fff::1', '5f00::1', '2001:20::1'],
].map((host) => `https://[${host}]/`)
const literalsThatArePublic = ['https://1.1.1.1/', 'https://[2606:4700:4700::1111]/']
const schemes = [
  ...['http://example.com', 'file:///etc/passwd', 'gopher://127.0.0.1:6379/_INFO', 'data:text/html,x', 'javascript:'],
  ...['blob:https://example.com/x', 'ws://example.com/'],
]
const credentials = [
  ...['https://user:pass@example.com', 'https://example.com@127.0.0.1/', 'https://127.0.0.1@example.com/'],
  'https://fake.com%2f@127.0.0.1/',
]
const ports = ['https://example.com:22/', 'https://example.com:0/', 'https://example.com:65536/']
const names = [
  ...['localhost', 'LOCALHOST.', 'foo.localhost', 'metadata.google.internal', 'db.internal', 'printer.local'],
  ...['x.home.arpa', 'router'],
].map((host) => `https://${host}/`)
const unresolvable = ['https://kubernetes.default.svc/']
const twoReadings = ['https://exa\tmple.com/', 'https://exam\nple.com', String.raw`https://example.com\@127.0.0.1/`]
const allowed = ['https://example.com#@127.0.0.1/', 'https://ⓔxample.com/']
const notNames = [
  ...['https://xn--/', 'https://1.2.3.4.5/', 'https://256.256.256.256/', 'https://example..com/', '//127.0.0.1/'],
  'https://',
]
const dependencies = ['https://facilitator.example/verify']

const refused = [
  ...[...loopbackSpellings, ...specialIpv4, ...ipv6, ...literalsThatArePublic, ...schemes, ...credentials, ...ports],
  ...[...names, ...twoReadings, ...notNames, ...dependencies],
]

describe('addresses that strangers try', () => {
  it('are ninety-five', () => {
    expect(refused.length + unresolvable.length + allowed.length).toBe(95)
  })

  it.each(refused)('refuses %j without a look-up or a connection', async (url) => {
    const { failure, dialled, sockets } = watchFetch(web, { dnsServer: dns.server })
    const before = dns.asked.length
    expect(await failure(url)).toBe('refused')
    expect([dialled, sockets(), dns.asked.length - before]).toEqual([[], 0, 0])
    expect(dependencies.includes(url) || findUrlRefusal(url) !== undefined).toBe(true)
  })

  it.each(unresolvable)('finds nothing at %j', async (url) => {
    const { failure, dialled } = watchFetch(web, { dnsServer: dns.server })
    expect([await failure(url), dialled]).toEqual(['unresolvable', []])
  })

  it.each(allowed)('reads %j as the name it means', async (url) => {
    const { get, dialled } = watchFetch(web, { dnsServer: dns.server })
    expect((await get(url)).url).toBe('https://example.com/')
    expect(dialled).toEqual([`${good}:443`])
  })

  // A line break cannot stand in a header.
  const asRedirects = [...refused, ...unresolvable].filter((url) => !/\n/.test(url))
  it.each(asRedirects)('does not get there by a redirect to %j', async (location) => {
    const speak = (text: string) => ({
      is: 'spoken' as const,
      speak: (socket: { end: (bytes: Buffer) => void }) => socket.end(Buffer.from(text)),
    })
    web.fail('start.example', speak(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`))
    const { failure, dialled, sockets } = watchFetch(web, { dnsServer: dns.server })
    const reason = await failure('https://start.example/')
    // Some spellings are relative to the address that redirects, so that they lead in a circle.
    expect(['refused', 'unresolvable', 'too-many-redirects']).toContain(reason)
    expect(new Set(dialled)).toEqual(new Set([`${good}:443`]))
    expect(sockets()).toBe(dialled.length)
  })
})
