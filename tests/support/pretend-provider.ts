import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request that arrived at the pretend provider. */
export interface ProviderRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Its response. */
export interface ProviderReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** A fault that one request meets. */
export type ProviderFault =
  /** Accepts the request and never responds. */
  | { is: 'silence' }
  /** Responds late. */
  | { is: 'delay'; ms: number }
  /** States the length of the response and breaks off in the middle of it. */
  | { is: 'cut' }
  /** Starts a successful response and then sends bytes without end. */
  | { is: 'endless' }
  /** Sends another response than the real one. */
  | { is: 'instead'; reply: ProviderReply }
  /** Sends the real response with changes. */
  | { is: 'changed'; change: (reply: ProviderReply) => ProviderReply }

/** A provider on a port of this machine that speaks its protocol correctly, and can be told to fail. */
export interface PretendProvider {
  readonly url: string
  /** The fates of the next requests, in order; all later ones succeed. */
  readonly faults: ProviderFault[]
  readonly requests: ProviderRequest[]
  close(): Promise<void>
}

/** A JSON response. */
export const jsonReply = (value: unknown, status = 200): ProviderReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
})

/** A web page in place of a response, as proxies in front of providers send it. */
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
