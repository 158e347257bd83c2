import { toOpenApi } from '../discovery/openapi.ts'
import { prerenderedJson } from '../discovery/prerendered-json.ts'
import { getOffers } from '../publishing/skills.ts'
import { shop } from '../site-context.ts'

export const GET = async () => prerenderedJson(toOpenApi(await getOffers(), shop))
