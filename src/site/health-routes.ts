import { get, type Route } from '../http/route.ts'
import { shortRoute } from '../http/short-document.ts'
import type { Readiness } from './readiness.ts'

const headers = { 'cache-control': 'no-store' }
const alive = JSON.stringify({ ok: true })

/** `/healthz` is 200 while the process lives, `/readyz` while it can also sell. */
export const makeHealthRoutes = (check: () => Promise<Readiness>): Route[] => [
  shortRoute('/healthz', {
    contentType: 'application/json',
    cacheControl: headers['cache-control'],
    hasTag: false,
    read: () => alive,
  }),
  get('/readyz', async () => {
    const readiness = await check()
    return Response.json(readiness, { status: readiness.ready ? 200 : 503, headers })
  }),
]
