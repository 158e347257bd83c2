import { toOneLine } from '../core/one-line.ts'
import type { NewPost } from './letters.ts'

/** An e-mail to a reader, in plain text. */
interface Written {
  readonly subject: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Press {
  readonly name: string
  /** Base URL, without a slash at its end. */
  readonly baseUrl: string
}

const mostSigns = 900
const toText = (lines: readonly string[]): string => [...lines, ''].map((line) => toOneLine(line, mostSigns)).join('\n')

/** The e-mail that asks a subscriber to confirm the address. */
export const writeConfirmation = ({ name, baseUrl }: Press, token: string): Written => ({
  subject: toOneLine(`Please confirm: new posts of ${name}`, mostSigns),
  text: toText([
    `Somebody, we hope you, wants to get the new posts of ${name} (${baseUrl}) by e-mail.`,
    '',
    'To confirm, open this page within 48 hours and press its button:',
    `${baseUrl}/follow?confirm=${token}`,
    '',
    'If it was not you, do nothing: your address is erased after that time.',
  ]),
})

/** The e-mail about a new post, with the headers for one-click unsubscribing (RFC 8058). */
export const writeLetter = ({ name, baseUrl }: Press, post: NewPost, token: string): Written => ({
  subject: toOneLine(post.title, mostSigns),
  text: toText([
    post.title,
    '',
    post.excerpt,
    '',
    `Read it: ${post.url}`,
    '',
    '-- ',
    `${name}, ${baseUrl}. You get this because you asked for new posts and confirmed it.`,
    `Unsubscribe: ${baseUrl}/follow?leave=${token}`,
  ]),
  headers: {
    'List-Id': `<newsletter.${new URL(baseUrl).hostname}>`,
    'List-Unsubscribe': `<${baseUrl}/api/newsletter/leave?token=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
})
