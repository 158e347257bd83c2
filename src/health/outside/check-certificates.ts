import { connect } from 'node:tls'
import { toSpan } from '../span-text.ts'
import { failure, type Looked, type OutsideCheck, toWorst, warning } from './looked.ts'
import { whyUnreached } from './why-unreached.ts'

const deadlineMs = 8_000
const dayMs = 24 * 60 * 60 * 1000
/** Automatic renewal happens when a third of the validity is left: a month of the usual three. */
const noticedMs = 14 * dayMs

const renew = 'Renew it (Caddy does so by itself while ports 80 and 443 reach it; otherwise run certbot renew).'

/**
 * Checks that each public https address has a certificate for its name, which is trusted and does not expire soon.
 */
export const makeCertificatesCheck = (urls: readonly string[]): OutsideCheck => ({
  name: 'tls',
  async run() {
    const hosts = new Set(urls.filter((url) => /^(?:https|wss):/.test(url)).map((url) => new URL(url).host))
    return toWorst(await Promise.all([...hosts].map(lookAt)))
  },
})

function lookAt(at: string): Promise<Looked | undefined> {
  const { hostname, port } = new URL(`https://${at}`)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    // A bad certificate must not end the connection, because this finds out what is wrong with it. No data is sent.
    const options = { host, port: Number(port || 443), rejectUnauthorized: false }
    const socket = connect({ ...options, servername: host }, () => {
      const error = socket.authorized ? '' : String(socket.authorizationError)
      const { valid_from: from, valid_to: to } = socket.getPeerCertificate()
      resolve(judge(at, error, { fromMs: Date.parse(from), endsMs: Date.parse(to) }))
      socket.destroy()
    })
    socket.setTimeout(deadlineMs, () => {
      resolve(nobodyAt(at))
      socket.destroy()
    })
    socket.on('error', (error) => {
      switch (whyUnreached(error)) {
        case 'nobody':
          resolve(nobodyAt(at))
          return
        case 'no-name':
          resolve(undefined)
          return
        case 'no-trust':
        case 'broken':
          resolve(failure(`What answers at ${at} does not speak TLS.`, 'Put the TLS proxy of deploy/ in front.'))
      }
    })
  })
}

const nobodyAt = (at: string): Looked => ({
  is: 'later',
  sentence: `Nothing answers at ${at}; run this again when the proxy is running.`,
})

function judge(at: string, error: string, { fromMs, endsMs }: { fromMs: number; endsMs: number }): Looked {
  const leftMs = endsMs - Date.now()
  if (error === 'CERT_HAS_EXPIRED' || leftMs <= 0)
    return failure(
      `The certificate of ${at} expired ${toSpan(Math.max(0, -leftMs))} ago, so no client connects.`,
      renew,
    )
  if (error === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return failure(`The certificate that ${at} shows is for another name, so no client connects.`, renew)
  if (error !== '')
    return failure(
      `The certificate of ${at} is not from an authority that clients trust (${error}).`,
      'Use one from a public authority, with its whole chain (fullchain.pem).',
    )
  const sentence = `The certificate of ${at} is valid for another ${toSpan(leftMs)}.`
  const isLate = leftMs < Math.min(noticedMs, (endsMs - fromMs) / 3)
  return isLate ? warning(sentence, renew) : { is: 'ok', sentence }
}
