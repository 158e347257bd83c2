import { randomBytes } from 'node:crypto'
import { sha256 } from '../../core/sha256.ts'
import { askMirror, lookForOurs, type PublicHost } from './ask-mirror.ts'
import { failure, type Looked, type OutsideCheck, toWorst } from './looked.ts'

/** More than the size of payments and terms. */
const headerBytes = 8_000

const letIn =
  'Make the proxy accept request headers of 16 KB and pass PAYMENT-SIGNATURE on (nginx: large_client_header_buffers 4 32k).'
const letOut =
  'Make the proxy pass answers with headers of 16 KB and keep PAYMENT-REQUIRED in them (nginx: proxy_buffer_size 16k).'

/** Checks that payments and terms get through the proxies in front of the programs unchanged. */
export const makeHeadersCheck = (hosts: readonly PublicHost[], secret: string | undefined): OutsideCheck => ({
  name: 'headers',
  run: async () => toWorst(await Promise.all(hosts.map((host) => look(host, secret)))),
})

async function look(host: PublicHost, secret: string | undefined): Promise<Looked | undefined> {
  const plain = await lookForOurs(host, { secret })
  if (plain.is === 'unseen') return plain.looked
  const payment = randomBytes((headerBytes / 4) * 3).toString('base64')
  const question = { secret, headers: { 'payment-signature': payment } }
  const sent = await askMirror(host, question)
  const { what } = host
  if (sent.is !== 'seen')
    return failure(`A payment header of 8 KB does not reach the ${what}: it is ${toEnd(sent)}.`, letIn)
  if (sent.reflection.paymentHash !== sha256(payment)) {
    const how = sent.reflection.paymentHash === null ? 'taken out' : 'changed'
    return failure(`The header PAYMENT-SIGNATURE is ${how} on the way to the ${what}, so nobody can pay.`, letIn)
  }
  const returned = await askMirror(host, { ...question, wantsHeader: true })
  if (returned.is !== 'seen')
    return failure(`An answer of the ${what} with terms of 8 KB does not get out: it is ${toEnd(returned)}.`, letOut)
  if (returned.header !== payment) {
    const how = returned.header === null ? 'taken out of' : 'changed in'
    return failure(`The header PAYMENT-REQUIRED is ${how} answers of the ${what}, so nobody gets the terms.`, letOut)
  }
  return { is: 'ok', sentence: 'Payments and terms of 8 KB get through intact.' }
}

const toEnd = (mirrored: Exclude<Awaited<ReturnType<typeof askMirror>>, { is: 'seen' }>): string =>
  mirrored.is === 'answered' ? `answered with HTTP ${mirrored.status}` : 'broken off'
