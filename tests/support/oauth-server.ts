import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { answerFound } from '../../src/http/node-handle.ts'
import { makeRouteTable } from '../../src/http/route-table.ts'
import { makeSecurityHeaders } from '../../src/http/security-headers.ts'
import { makeSendProblem } from '../../src/http/send-problem.ts'
import { makeOauthRecords } from '../../src/oauth/oauth-records.ts'
import { openOauth } from '../../src/oauth/open-oauth.ts'
import { type ToolPath, toolPaths } from '../../src/oauth/places.ts'
import { makeSignInLinks } from '../../src/oauth/sign-in-links.ts'
import { openOperatorDoor } from '../../src/operator-pages/operator-door.ts'
import { findFreePort } from '../../src/sandbox/port.ts'
import { openTestOauth } from './test-databases.ts'

const pages = fileURLToPath(new URL('../../public', import.meta.url))

/** An operator tool whose result shows that it ran. */
const tools = [
  {
    name: 'knock',
    title: 'Knock on the door',
    description: 'Says that it knocked.',
    inputSchema: z.object({}),
    run: async () => ({ knocked: true }),
  },
]

export type RunningOauthServer = Awaited<ReturnType<typeof startOauthServer>>

interface Options {
  readonly payTo: string
  readonly rpcUrl?: string
  readonly dataDir?: string
  readonly port?: number
  /** The public address, if a proxy with TLS is in front. */
  readonly publicUrl?: string
}

/** The authorization server with a real database on a free port, and a protected resource, behind a plain front. */
export async function startOauthServer(options: Options) {
  const { payTo, rpcUrl = 'http://127.0.0.1:9', dataDir, port, publicUrl } = options
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'farthing-oauth-'))
  const own = port ?? (await findFreePort())
  const local = `http://127.0.0.1:${own}`
  const baseUrl = publicUrl ?? local
  const db = await openTestOauth(folder)
  let later = 0
  const now = () => Date.now() + later
  const records = makeOauthRecords({ db, now })
  const logged: string[] = []
  const oauth = openOauth({
    db,
    config: { baseUrl, payTo, rpcUrl, limitsLoopback: false },
    secret: 'a secret of this installation, long enough',
    tools,
    showLink: (res, link) => void door.showLink(res, link),
    log: (event, fields) => logged.push(JSON.stringify({ event, ...fields })),
    now,
  })
  const door = openOperatorDoor({ signIn: oauth.signIn, baseUrl, now })
  const find = makeRouteTable([...oauth.routes, ...door.routes])
  const sendProblem = makeSendProblem({ baseUrl, security: makeSecurityHeaders(baseUrl) })
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    // Connections are not kept alive, because a client would fail on one after a restart.
    res.shouldKeepAlive = false
    req.headers['x-request-id'] = 'a-request'
    req.headers.host = new URL(baseUrl).host
    req.headers['x-forwarded-proto'] = new URL(baseUrl).protocol.slice(0, -1)
    req.headers['x-forwarded-for'] ??= '203.0.113.7'
    const file =
      /^\/operator(?:-wallet\.js|(?:-desk)?\.css)$/.test(req.url ?? '') && readFileSync(join(pages, req.url ?? ''))
    if (file) {
      res.writeHead(200, { 'content-type': req.url?.endsWith('.css') ? 'text/css' : 'text/javascript' }).end(file)
      return
    }
    if (!toolPaths.some((path) => path === req.url)) {
      const found = find(req.method ?? '', new URL(req.url ?? '', baseUrl).pathname)
      if (found) await answerFound(found, { req, res, sendProblem })
      else sendProblem(req, res, 'not-found')
      return
    }
    const refusal = await oauth.access.refuse(toRequest(req, baseUrl))
    const said = refusal ?? Response.json(await oauth.access.tools[0]?.run({}))
    res.writeHead(said.status, Object.fromEntries(said.headers)).end(await said.text())
  }
  const server = createServer((req, res) => void answer(req, res))
  server.listen(own, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl,
    local,
    db,
    logged,
    port: own,
    dataDir: folder,
    records,
    makeLink: makeSignInLinks({ records, baseUrl, now }).make,
    /** Advances the clock of everything except the OAuth library. */
    passTime(ms: number) {
      later += ms
    },
    knock: (token?: string, path: ToolPath = '/api/mcp') =>
      fetch(baseUrl + path, {
        method: 'POST',
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      }),
    async close({ keep = false } = {}) {
      server.close()
      server.closeAllConnections()
      await db.destroy()
      if (!keep) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const toRequest = (req: IncomingMessage, baseUrl: string): Request =>
  new Request(baseUrl + req.url, {
    method: 'POST',
    headers: req.headers.authorization === undefined ? {} : { authorization: req.headers.authorization },
  })
