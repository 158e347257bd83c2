import type { Route } from './http/route.ts'

/** Clients look for a receipt where they bought; the site keeps them. */
export function makeReceiptRoutes(baseUrl: string): Route[] {
  const lead = (path: '/receipts/' | '/api/receipts/'): Route => ({
    path: `${path}:id`,
    handlers: {
      GET: (_, name) =>
        new Response(null, { status: 308, headers: { location: `${baseUrl}${path}${encodeURIComponent(name)}` } }),
    },
  })
  return [lead('/receipts/'), lead('/api/receipts/')]
}
