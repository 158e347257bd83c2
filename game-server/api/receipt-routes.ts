import { get, type Route } from '../../src/http/route.ts'

/** Clients look for a receipt where they bought; the site keeps them. */
export function makeReceiptRoutes(baseUrl: string): Route[] {
  const lead = (path: '/receipts/' | '/api/receipts/'): Route =>
    get(`${path}:id`, (_, name) => {
      const location = `${baseUrl}${path}${encodeURIComponent(name)}`
      return new Response(null, { status: 308, headers: { location } })
    })
  return [lead('/receipts/'), lead('/api/receipts/')]
}
