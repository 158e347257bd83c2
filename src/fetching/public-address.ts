import { BlockList, isIP } from 'node:net'

const toList = (ranges: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [start = '', bits] = range.split('/')
    list.addSubnet(start, Number(bits), start.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

/** IANA's special-purpose ranges as of 2025, including globally reachable ones, where no web sites are. */
const specialIpv4 = toList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // A public-looking address inside Azure, where its machines get credentials.
  '168.63.129.16/32',
])
/** The allocated range of global IPv6. Embedded IPv4 (mapped, NAT64) is outside of it. */
const globalIpv6 = toList(['2000::/3'])
/** Special ranges within that: Teredo, documentation, 6to4 and others. */
const specialIpv6 = toList(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

/** Whether an address is on the public internet. An allow-list: what is not known to be public is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4')
    case 6:
      // A zone (`%eth0`) names an interface of this machine.
      return !address.includes('%') && globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
    default:
      return false
  }
}
