import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What arrived at the pretended provider. */
export interface ProviderRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

/** What it answers. */
export interface ProviderReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** What one request meets instead of plain service. */
export type ProviderFault =
  /** Takes the request and never answers. */
  | { is: 'silence' }
  /** Answers, but late. */
  | { is: 'delay'; ms: number }
  /** Says how long the answer is and breaks off in the middle of it. */
  | { is: 'cut' }
  /** A beginning of success and then bytes without end. */
  | { is: 'endless' }
  /** Another answer than the true one. */
  | { is: 'instead'; reply: ProviderReply }
  /** The true answer, changed. */
  | { is: 'changed'; change: (reply: ProviderReply) => ProviderReply }

/** A provider on a port of this machine that speaks its protocol truthfully, and can be told to fail. */
export interface PretendProvider {
  readonly url: string
  /** The next requests' fates, in order; afterwards everything works. */
  readonly faults: ProviderFault[]
  readonly requests: ProviderRequest[]
  close(): Promise<void>
}

/** A JSON reply. */
export const jsonReply = (value: unknown, status = 200): ProviderReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
})

/** A web page where an answer should be, as proxies in front of providers send it. */
export const htmlReply = (status = 200): ProviderReply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Just a moment</title><p>Checking your browser',
})

/** Serves one function as a provider. */
export async function openPretendProvider(
  answer: (request: ProviderRequest) => ProviderReply | Promise<ProviderReply>,
): Promise<PretendProvider> {
  const faults: ProviderFault[] = []
  const requests: ProviderRequest[] = []

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://provider')
    const text = Buffer.concat(chunks).toString()
    const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text)
    const request = { path: pathname, query: searchParams, headers: incoming.headers, body }
    requests.push(request)
    const fault = faults.shift()
    if (fault?.is === 'silence') return
    if (fault?.is === 'endless') return sendForEver(response)
    if (fault?.is === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms))
    const truth = fault?.is === 'instead' ? fault.reply : await answer(request)
    const reply = fault?.is === 'changed' ? fault.change(truth) : truth
    const bytes = Buffer.from(reply.body)
    response.writeHead(reply.status ?? 200, { ...reply.headers, 'content-length': bytes.byteLength })
    if (fault?.is !== 'cut') response.end(bytes)
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  }

  function sendForEver(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"data":"')
    const more = () => {
      while (!response.destroyed && response.write('A'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    faults,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
