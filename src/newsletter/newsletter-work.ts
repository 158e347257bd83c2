import type { SmtpServer } from '../config/email-settings.ts'
import { sha256 } from '../core/sha256.ts'
import { handIn } from '../email/send-email.ts'
import type { Work } from '../jobs/carry-out.ts'
import { type Letters, type NewPost, namesOf } from './letters.ts'
import type { Reader, Readers } from './readers.ts'
import { writeConfirmation, writeLetter } from './write-letter.ts'

/** The result of a run. */
export interface LettersSent {
  readonly letters: number
  readonly confirmations: number
  /** Refused by the mail server, to be tried again later. */
  readonly refused: number
  /** Letters that the mail server may or may not have accepted; not sent again. */
  readonly unknown: number
}

interface Options {
  readonly readers: Readers
  readonly letters: Letters
  readonly name: string
  /** Base URL of the site, without a slash at its end. */
  readonly baseUrl: string
  readonly mail: { readonly server: SmtpServer; readonly from: string }
  /** The posts of the build that is served. */
  readonly posts: () => readonly NewPost[]
  readonly now: () => number
}

/** After this many refusals in a row, sending stops until the next run. */
const mostRefused = 3
/** After this time a run stops sending letters, and the next run goes on. */
const longestMs = 20 * 60_000

/**
 * The work of the job `newsletter`: sends confirmation e-mails to new addresses, and sends each new post to each
 * confirmed reader once.
 */
export function makeNewsletterWork(options: Options) {
  const { readers, letters, name, baseUrl, mail, posts, now } = options
  const press = { name, baseUrl }
  const { hostname } = new URL(baseUrl)
  /** A Message-ID. It is a digest, because replies repeat it to others and the ids in it are secret. */
  const toMessageId = (...said: readonly string[]): string => `<${sha256(...said).slice(0, 32)}@${hostname}>`

  const confirmOne = (reader: Reader, signal: AbortSignal) => {
    const messageId = toMessageId('confirm', reader.id, String(reader.asks))
    const written = writeConfirmation(press, reader.confirm_key)
    return handIn(mail.server, { ...written, messageId, from: mail.from, to: [reader.email] }, { signal })
  }

  /** Sends the due confirmations. Also called outside of the job, because a subscriber waits for theirs. */
  async function sendConfirmations(signal: AbortSignal) {
    const sent = { confirmations: 0, refused: 0 }
    while (!signal.aborted && sent.refused < mostRefused) {
      const reader = await readers.takeDue(now())
      if (!reader) break
      const outcome = await confirmOne(reader, signal)
      if (outcome.is === 'taken') {
        sent.confirmations += 1
        await readers.asked(reader)
      }
      // It stays due, also when it may have been sent: a second confirmation does no harm.
      else sent.refused += 1
    }
    return sent
  }

  async function sendLetters(signal: AbortSignal) {
    const bySlug = new Map(posts().flatMap((post) => namesOf(post).map((name) => [name, post] as const)))
    // The served build may be older than the one that queued a letter: letters about posts that it lacks stay.
    const known = (await letters.findPosts(now())).filter((slug) => bySlug.has(slug))
    const until = now() + longestMs
    const sent = { letters: 0, refused: 0, unknown: 0 }
    for (let refused = 0; !signal.aborted && refused < mostRefused && now() < until; ) {
      const letter = await letters.take(now(), known)
      const post = letter && bySlug.get(letter.post)
      if (!letter || !post) break
      const written = writeLetter(press, post, letter.reader)
      const messageId = toMessageId('letter', letter.reader, letter.post)
      const outgoing = { ...written, messageId, from: mail.from, to: [letter.email] }
      const { is } = await handIn(mail.server, outgoing, { signal })
      switch (is) {
        case 'taken':
          sent.letters += 1
          refused = 0
          await letters.done(letter)
          break
        case 'refused':
          sent.refused += 1
          refused += 1
          await letters.refused(letter, now())
          break
        case 'unknown':
          sent.unknown += 1
          await letters.done(letter)
      }
    }
    return sent
  }

  const work: Work<LettersSent> = async (signal) => {
    await readers.expire(now())
    const asked = await sendConfirmations(signal)
    const left = await letters.giveUpUnknown()
    await letters.dropOld(now())
    await letters.note(posts(), now())
    const sent = await sendLetters(signal)
    signal.throwIfAborted()
    return {
      letters: sent.letters,
      confirmations: asked.confirmations,
      refused: sent.refused + asked.refused,
      unknown: sent.unknown + left,
    }
  }
  return { work, sendConfirmations }
}
