import type { APIRoute } from 'astro'

export const prerender = false

export const ALL: APIRoute = ({ request, locals, params }) => locals.services.paid(`skill/${params.slug}`)(request)
