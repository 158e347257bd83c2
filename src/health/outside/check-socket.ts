import { WebSocket } from 'ws'
import { notRunning } from './ask-mirror.ts'
import { failure, type Looked, type OutsideCheck } from './looked.ts'
import { whyUnreached } from './why-unreached.ts'

const deadlineMs = 8_000
const advice =
  'Make the proxy pass on WebSocket upgrades of this path (nginx: proxy_http_version 1.1 with the headers Upgrade and Connection, as in deploy/nginx).'
/** Statuses with which a proxy responds when the program behind it does not run. */
const forNobody = new Set([502, 503, 504])

/** Checks that players reach the game's WebSocket through the proxies in front. */
export const makeSocketCheck = (wsUrl: string, gameUrl: string): OutsideCheck => ({
  name: 'socket',
  run: () =>
    new Promise<Looked | undefined>((resolve) => {
      const host = { what: 'game host', origin: gameUrl } as const
      const socket = new WebSocket(wsUrl, { handshakeTimeout: deadlineMs, perMessageDeflate: false })
      socket.on('open', () => {
        resolve({ is: 'ok', sentence: `Players reach ${wsUrl}.` })
        socket.close()
      })
      socket.on('unexpected-response', (request, { statusCode = 0 }) => {
        resolve(
          forNobody.has(statusCode)
            ? notRunning(host, `a proxy answers HTTP ${statusCode}`)
            : failure(`Players cannot reach ${wsUrl}: the upgrade is answered with HTTP ${statusCode}.`, advice),
        )
        request.destroy()
      })
      socket.on('error', (error) => {
        switch (whyUnreached(error)) {
          case 'nobody':
            resolve(notRunning(host, 'nothing answers there'))
            return
          case 'no-name':
          case 'no-trust':
            resolve(undefined)
            return
          case 'broken':
            resolve(failure(`Players cannot reach ${wsUrl}: the upgrade is broken off.`, advice))
        }
      })
    }),
})
