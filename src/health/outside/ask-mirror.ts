import { type Reflection, reflectionSchema } from '../../http/mirror.ts'
import { makePass } from '../../http/mirror-pass.ts'
import { readCapped } from '../../http/read-capped.ts'
import { failure, type Looked } from './looked.ts'
import { whyUnreached } from './why-unreached.ts'

const deadlineMs = 8_000
const maxAnswerBytes = 64 * 1024
const passMs = 30_000

/** One of the two programs as the world finds it. */
export interface PublicHost {
  readonly what: 'site' | 'game host'
  /** Its public address, without a slash at its end. */
  readonly origin: string
}

/** What came of a request that was sent to the mirror through everything that stands in front. */
export type Mirrored =
  | { readonly is: 'seen'; readonly reflection: Reflection; readonly header: string | null }
  /** It arrives nowhere for a reason that has nothing to do with what was sent. */
  | { readonly is: 'unseen'; readonly looked: Looked | undefined }
  /** Somebody answered, and not the mirror. */
  | { readonly is: 'answered'; readonly status: number }
  | { readonly is: 'broken' }

interface Question {
  /** Undefined when the data folder was never run with. */
  readonly secret: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the payment header is wanted back as a header of the answer. */
  readonly wantsHeader?: boolean
}

/** Asks the mirror of a program at its public address. */
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

/** What a proxy answers for a program that is not there. */
const forNobody = new Set([502, 503, 504])

/** A plain look, which the others build on: whether it is our program that answers there at all. */
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
