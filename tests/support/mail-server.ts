import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { z } from 'zod'
import { makeThrowAwayCa } from './throw-away-ca.ts'

/** An e-mail as the server received it, with headers unfolded. */
interface Mail {
  readonly raw: string
  readonly headers: readonly string[]
  readonly messageId: string
  readonly subject: string
  readonly text: string
  readonly from: string
  readonly to: readonly string[]
  readonly user: string
  readonly isEncrypted: boolean
}

/** A fault of one e-mail: a status at the greeting or for the recipient, silence after its data, or a lost socket. */
export type MailFault =
  | { is: 'greeting'; status: number }
  | { is: 'recipient'; status: number }
  | { is: 'silence' | 'cut' }

const user = 'shop'
export const password = 'correct-horse+battery/%40'

/** A mail server that requires a password and TLS, with a throw-away authority. */
export async function openMailServer({
  tls = 'from-the-start',
}: {
  tls?: 'from-the-start' | 'starttls' | 'none'
} = {}) {
  const ca = makeThrowAwayCa()
  const got: Mail[] = []
  const faults: MailFault[] = []
  const refusal = (status: number) => Object.assign(new Error('5.7.1 not today'), { responseCode: status })
  const next = (...kinds: readonly MailFault['is'][]): MailFault | undefined =>
    faults[0] && kinds.includes(faults[0].is) ? faults.shift() : undefined

  const server = new SMTPServer({
    ...ca.certify('localhost'),
    secure: tls === 'from-the-start',
    hideSTARTTLS: tls === 'none',
    allowInsecureAuth: tls === 'none',
    authMethods: ['PLAIN', 'LOGIN'],
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onConnect(_session, done) {
      const fault = next('greeting')
      done(fault && 'status' in fault ? refusal(fault.status) : null)
    },
    onAuth(auth, _session, done) {
      if (auth.username === user && auth.password === password) done(null, { user })
      else done(Object.assign(new Error('no'), { responseCode: 535 }))
    },
    onRcptTo(_address, _session, done) {
      const fault = next('recipient')
      done(fault && 'status' in fault ? refusal(fault.status) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : (mailFrom?.address ?? '')
        const envelope = {
          from,
          to: rcptTo.map(({ address }) => address),
          user: String(session.user),
          isEncrypted: session.secure,
        }
        got.push({ ...readMail(Buffer.concat(chunks).toString('latin1')), ...envelope })
        const fault = next('silence', 'cut')
        if (fault?.is === 'cut') cutAll()
        if (!fault) done()
      })
    },
  })
  // Connections that the client resets are reported here, too.
  server.on('error', () => {})
  // Closes the TLS sockets, because destroying the sockets below them crashes the process.
  const cutAll = () => {
    for (const { _socket: socket } of server.connections) socket?.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.server.address())
  const scheme = tls === 'from-the-start' ? 'smtps' : 'smtp'
  return {
    /** Its address in the form of the setting; its certificate is valid for this host. */
    url: `${scheme}://${user}:${encodeURIComponent(password)}@localhost:${port}`,
    port,
    caCert: ca.cert,
    /** All e-mails whose data arrived completely, whatever the response. */
    got,
    /** The fates of the next attempts, in order; all later ones are accepted. */
    faults,
    async close(): Promise<void> {
      cutAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export type MailServer = Awaited<ReturnType<typeof openMailServer>>

function readMail(raw: string): Pick<Mail, 'raw' | 'headers' | 'messageId' | 'subject' | 'text'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headers = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const find = (name: string) =>
    headers.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  const body = rest.join('\r\n\r\n').replaceAll('\r\n', '\n')
  const isQuoted = find('content-transfer-encoding') === 'quoted-printable'
  return {
    raw,
    headers,
    messageId: find('message-id'),
    subject: find('subject'),
    text: isQuoted ? unquote(body) : body,
  }
}

/** Quoted-printable (RFC 2045). */
const unquote = (text: string): string =>
  Buffer.from(
    text
      .replaceAll('=\n', '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
