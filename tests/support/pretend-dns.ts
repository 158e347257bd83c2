import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** The records of a name. `silent`: queries for it get no response. */
export interface DnsRecords {
  readonly ipv4?: readonly string[]
  readonly ipv6?: readonly string[]
  readonly alias?: string
  readonly code?: 'SERVFAIL' | 'NXDOMAIN'
  readonly silent?: true
}

const types = { ipv4: 1, alias: 5, ipv6: 28 } as const
const codes = { SERVFAIL: 2, NXDOMAIN: 3 } as const

const toLabels = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.of(0),
  ])

const toIpv4Bytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number))

function toIpv6Bytes(address: string): Buffer {
  const dotted = /[\d.]+\.[\d.]+$/.exec(address)?.[0]
  const tail = dotted === undefined ? '' : (toIpv4Bytes(dotted).toString('hex').match(/.{4}/g) ?? []).join(':')
  const [before = '', after = ''] = `${address.slice(0, address.length - (dotted?.length ?? 0))}${tail}`.split('::')
  const groups = (half: string) => half.split(':').filter(Boolean)
  const [first, last] = [groups(before), groups(after)]
  const zeros = Array<string>(8 - first.length - last.length).fill('0')
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function toRecord(owner: string, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10)
  fields.writeUInt16BE(type, 0)
  fields.writeUInt16BE(1, 2)
  fields.writeUInt16BE(data.length, 8)
  return Buffer.concat([toLabels(owner), fields, data])
}

/**
 * A DNS server on loopback that speaks the protocol over UDP and TCP. Unknown names are NXDOMAIN. Its records can be
 * changed while it runs.
 */
export async function openPretendDns(names: Record<string, DnsRecords>) {
  const asked: string[] = []

  function answer(query: Buffer, maxBytes: number): Buffer | undefined {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const name = labels.join('.').toLowerCase()
    const type = query.readUInt16BE(at + 1)
    const known = names[name] ?? { code: 'NXDOMAIN' }
    if (type === types.ipv4) asked.push(name)
    if (known.silent) return
    const { alias } = known
    const owner = alias ?? name
    const its = names[owner] ?? known
    const records = [
      ...(alias ? [toRecord(name, types.alias, toLabels(alias))] : []),
      ...(type === types.ipv4 ? (its.ipv4 ?? []) : []).map((one) => toRecord(owner, type, toIpv4Bytes(one))),
      ...(type === types.ipv6 ? (its.ipv6 ?? []) : []).map((one) => toRecord(owner, type, toIpv6Bytes(one))),
    ]
    const isTooLong = records.reduce((sum, { length }) => sum + length, at + 5) > maxBytes
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | (isTooLong ? 0x0200 : 0) | (known.code ? codes[known.code] : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(isTooLong ? 0 : records.length, 6)
    return Buffer.concat([head, query.subarray(12, at + 5), ...(isTooLong ? [] : records)])
  }

  const long = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      const reply = answer(bytes.subarray(2), 65_535)
      if (!reply) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      socket.write(Buffer.concat([length, reply]))
    })
  })
  long.listen(0, '127.0.0.1')
  await once(long, 'listening')
  const { port } = long.address() as AddressInfo
  const short = createSocket('udp4')
  short.on('message', (query, { port: back }) => {
    const reply = answer(query, 1200)
    if (reply) short.send(reply, back, '127.0.0.1')
  })
  short.bind(port, '127.0.0.1')
  await once(short, 'listening')
  return {
    server: `127.0.0.1:${port}`,
    /** The names in the order of their look-ups. */
    asked,
    know(name: string, records: DnsRecords) {
      names[name] = records
    },
    close() {
      short.close()
      long.close()
    },
  }
}
