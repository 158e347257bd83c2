import type { APIContext, APIRoute } from 'astro'
import type { z } from 'zod'
import { readQuery } from '../http/read-query.ts'
import { freeJson } from './free-document.ts'
import { toRefusedQuery } from './refused-query.ts'
import type { SitePath } from './served.ts'

/** A JSON route for a search, whose query parameters are those of the schema. */
export const searchEndpoint = <Schema extends z.ZodObject>(
  path: SitePath,
  schema: Schema,
  find: (services: APIContext['locals']['services'], query: z.output<Schema>) => object,
): APIRoute =>
  freeJson(path, async ({ url, locals: { services } }) => {
    const read = readQuery(schema, url.searchParams)
    if (read.is === 'valid') return find(services, read.value)
    return services.problem('invalid-input', toRefusedQuery(read.errors))
  })
