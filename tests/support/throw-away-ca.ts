import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const tagged = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]) => tagged(0x30, ...parts)
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const bits = (bytes: Uint8Array) => tagged(0x03, Buffer.from([0]), bytes)
const toName = (text: string) => sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(text)))))
const toTime = (ms: number) =>
  tagged(
    0x18,
    Buffer.from(
      new Date(ms)
        .toISOString()
        .replace(/[-:T]/g, '')
        .replace(/\.\d+Z$/, 'Z'),
    ),
  )
const extension = (id: string, ...value: readonly Uint8Array[]) => sequence(oid(id), tagged(0x04, ...value))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const dayMs = 24 * 60 * 60 * 1000

/** A certificate with its key, in the form that TLS options need. */
export interface Certified {
  readonly cert: string
  readonly key: string
}

interface Issue {
  readonly subject: string
  readonly issuer: string
  readonly signer: KeyObject
  readonly publicKey: KeyObject
  readonly extensions: readonly Uint8Array[]
  readonly endsMs: number
}

function issue({ subject, issuer, signer, publicKey, extensions, endsMs }: Issue): string {
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    toName(issuer),
    sequence(toTime(endsMs - 30 * dayMs), toTime(endsMs)),
    toName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  const signed = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, signer)))
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const toPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A certificate authority for one test, which signs any name. */
export function makeThrowAwayCa() {
  const name = `Throw-away ${randomBytes(4).toString('hex')}`
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const soon = Date.now() + 20 * dayMs
  const isAuthority = extension('551d13', sequence(tagged(0x01, Buffer.from([255]))))
  return {
    cert: issue({
      subject: name,
      issuer: name,
      signer: own.privateKey,
      publicKey: own.publicKey,
      extensions: [isAuthority],
      endsMs: soon,
    }),
    /** `expired`: since yesterday. `ending`: in five days. `self-signed`: by itself. `others`: further names. */
    certify(host: string, flaw?: 'expired' | 'ending' | 'self-signed', others: readonly string[] = []): Certified {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const isSelfSigned = flaw === 'self-signed'
      const cert = issue({
        subject: host,
        issuer: isSelfSigned ? host : name,
        signer: isSelfSigned ? privateKey : own.privateKey,
        publicKey,
        extensions: [
          extension('551d11', sequence(...[host, ...others].map((name) => tagged(0x82, Buffer.from(name))))),
        ],
        endsMs: flaw === 'expired' ? Date.now() - dayMs : flaw === 'ending' ? Date.now() + 5.4 * dayMs : soon,
      })
      return { cert, key: toPem(privateKey) }
    },
  }
}
