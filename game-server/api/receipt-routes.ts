import { get, type Route } from '../../src/http/route.ts'

/** Redirects to the receipts, which the site serves: clients look for them on the host where they bought. */
export function makeReceiptRoutes(baseUrl: string): Route[] {
  const lead = (path: '/receipts/' | '/api/receipts/'): Route =>
    get(`${path}:id`, (_, name) => {
      const location = `${baseUrl}${path}${encodeURIComponent(name)}`
      return new Response(null, { status: 308, headers: { location } })
    })
  return [lead('/receipts/'), lead('/api/receipts/')]
}
