import { type Reflection, reflectionSchema } from '../../http/mirror.ts'
import { makePass } from '../../http/mirror-pass.ts'
import { readCapped } from '../../http/read-capped.ts'
import { failure, type Looked } from './looked.ts'
import { whyUnreached } from './why-unreached.ts'

const deadlineMs = 8_000
const maxAnswerBytes = 64 * 1024
const passMs = 30_000

/** One of the two programs at its public address. */
export interface PublicHost {
  readonly what: 'site' | 'game host'
  /** Its public address, without a slash at its end. */
  readonly origin: string
}

/** The outcome of a request to the mirror (`/api/mirror`) through all proxies in front of a program. */
export type Mirrored =
  | { readonly is: 'seen'; readonly reflection: Reflection; readonly header: string | null }
  /** The request does not arrive, for a reason that has nothing to do with its content. */
  | { readonly is: 'unseen'; readonly looked: Looked | undefined }
  /** The response is not from the mirror. */
  | { readonly is: 'answered'; readonly status: number }
  | { readonly is: 'broken' }

interface Question {
  /** Undefined when no program has run with the data folder yet. */
  readonly secret: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the mirror shall return the payment header as a header of its response. */
  readonly wantsHeader?: boolean
}

/** Sends a request to the mirror of a program at its public address. Never rejects. */
export async function askMirror(host: PublicHost, question: Question): Promise<Mirrored> {
  const { origin } = host
  const { secret = '', headers, wantsHeader = false } = question
  try {
    const authorization = `Bearer ${makePass(secret, origin, Date.now() + passMs)}`
    const answer = await fetch(`${origin}/api/mirror${wantsHeader ? '?header' : ''}`, {
      headers: { ...headers, authorization },
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    })
    const body = await readCapped(answer.body, maxAnswerBytes)
    const read = reflectionSchema.safeParse(answer.status === 200 ? toJson(body) : undefined)
    if (!read.success) return { is: 'answered', status: answer.status }
    return { is: 'seen', reflection: read.data, header: answer.headers.get('payment-required') }
  } catch (error) {
    switch (whyUnreached(error)) {
      case 'nobody':
        return { is: 'unseen', looked: notRunning(host, 'nothing answers there') }
      case 'no-name':
      case 'no-trust':
        return { is: 'unseen', looked: undefined }
      case 'broken':
        return { is: 'broken' }
    }
  }
}

export const notRunning = ({ what, origin }: PublicHost, how: string): Looked => ({
  is: 'later',
  sentence: `The ${what} is not running at ${origin} (${how}); run this again when it is.`,
})

/** Statuses with which a proxy responds when the program behind it does not run. */
const forNobody = new Set([502, 503, 504])

/** Checks whether it is our program that responds at the address, which all further checks need. */
export async function lookForOurs(host: PublicHost, question: Question): Promise<Mirrored> {
  const mirrored = await askMirror(host, question)
  const { what, origin } = host
  if (mirrored.is === 'broken')
    return {
      is: 'unseen',
      looked: failure(`What answers at ${origin} closes the connection.`, 'Check the log of the proxy in front.'),
    }
  if (mirrored.is !== 'answered') return mirrored
  const { status } = mirrored
  if (forNobody.has(status)) return { is: 'unseen', looked: notRunning(host, `a proxy answers HTTP ${status}`) }
  if (question.secret === undefined)
    return { is: 'unseen', looked: notRunning(host, 'nothing has run with this data folder') }
  const how = status >= 300 && status < 400 ? 'sends visitors elsewhere' : 'is not this installation'
  return {
    is: 'unseen',
    looked: failure(
      `What answers at ${origin} ${how}: it answers HTTP ${status} to what its ${what} would know.`,
      `Make the proxy pass requests for ${origin} on to the ${what} unchanged, and run the doctor with the DATA_DIR of the shop.`,
    ),
  }
}

function toJson(body: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
