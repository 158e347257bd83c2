import { describe, expect, it } from 'vitest'
import { findUrlRefusal, PublicHttpsUrl, type UrlRefusal, urlRefusals } from '../../src/fetching/public-https-url.ts'

const refused: Readonly<Record<UrlRefusal, readonly string[]>> = {
  scheme: [
    '',
    'example.com',
    '//127.0.0.1/',
    'http://example.com',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'data:text/html,x',
    'javascript:alert(1)',
    'blob:https://example.com/x',
    'ws://example.com/',
    'https:example.com',
    String.raw`https:/\127.0.0.1/`,
    String.raw`https:\\127.0.0.1\ `,
    ' https://example.com/',
  ],
  length: [`https://example.com/${'a'.repeat(2029)}`],
  characters: [
    'https://exa\tmple.com/',
    'https://exam\nple.com',
    'https://exa mple.com/',
    'https://example.com/a b',
    'https://example.com/\0',
    'https://example.com/\u0085',
    'https://example.com/\u2028',
    'https://example.com/\ud800',
    String.raw`https://example.com\@127.0.0.1/`,
    'https://example.com/ ',
  ],
  unreadable: [
    'https://',
    'https:///127.0.0.1/',
    'https://?x',
    'https://example.com:65536/',
    'https://exa%00mple.com/',
  ],
  credentials: [
    'https://user:pass@example.com',
    'https://user@example.com',
    'https://@example.com',
    'https://example.com@127.0.0.1/',
    'https://127.0.0.1@example.com/',
    'https://fake.com%2f@127.0.0.1/',
  ],
  port: ['https://example.com:22/', 'https://example.com:0/', 'https://example.com:80/', 'https://127.0.0.1:8443/'],
  address: [
    ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001'],
    ...['127.0.0.1.', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', '0', '0.1.2.3', '10.0.0.1', '169.254.169.254'],
    ...['1.1.1.1', '8.8.8.8', '1.2.3.4.5', '256.256.256.256', '[::]', '[::1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]'],
    ...[
      '[64:ff9b::8.8.8.8]',
      '[fe80::1]',
      '[fe80::1%25eth0]',
      '[fd00:ec2::254]',
      '[2606:4700:4700::1111]',
      '[2002:7f00:1::]',
    ],
  ].map((host) => `https://${host}/`),
  special: [
    ...['localhost', 'LOCALHOST.', 'foo.localhost', 'metadata.google.internal', 'db.internal', 'printer.local'],
    ...['PRINTER.LOCAL', 'x.home.arpa', 'home.arpa', 'local', 'internal'],
  ].map((host) => `https://${host}/`),
  name: [
    ...[
      'router',
      'xn--',
      'example..com',
      '.example.com',
      'example.com.',
      '-a.example.com',
      'a-.example.com',
      'example.xn--',
    ],
    ...['exa$mple.com', `${'a'.repeat(64)}.example.com`, `${'a.'.repeat(127)}com`],
  ].map((host) => `https://${host}/`),
}

const accepted = [
  'https://example.com',
  'https://example.com/',
  'https://example.com:443/',
  'https://example.com:/',
  'https://example.com/a/../b?c=d&e=%20#f',
  'https://example.com#@127.0.0.1/',
  'https://example.com/?next=http://127.0.0.1/',
  'https://example.com/user@host',
  'HTTPS://EXAMPLE.COM/',
  'https://sub.sub2.example.co.uk/',
  'https://münchen.example/straße',
  'https://xn--mnchen-3ya.example/',
  'https://ⓔxample.com/',
  'https://my_site.example.com/',
  'https://1.example.com/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://kubernetes.default.svc/',
  `https://example.com/${'a'.repeat(2028)}`,
]

describe('a URL that is fetched for a stranger', () => {
  for (const reason of Object.keys(urlRefusals) as UrlRefusal[])
    it.each(refused[reason])(`is refused for its ${reason}: %j`, (url) => {
      expect(findUrlRefusal(url)).toBe(reason)
      expect(PublicHttpsUrl.safeParse(url).error?.issues).toEqual([
        expect.objectContaining({ path: [], message: urlRefusals[reason] }),
      ])
    })

  it.each(accepted)('is accepted unchanged: %j', (url) => {
    expect(PublicHttpsUrl.parse(url)).toBe(url)
  })

  it.each([undefined, null, 1, {}, ['https://example.com']])('must be text: not %j', (value) => {
    expect(PublicHttpsUrl.safeParse(value).success).toBe(false)
  })
})
