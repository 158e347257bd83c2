import { registry } from './registry.ts'

/** Where everything else is: the site's documents that clients look up by a name. */
export const toPointers = (baseUrl: string): Record<string, string> =>
  Object.fromEntries(
    registry.flatMap(({ host, path, pointer }) =>
      host === 'site' && pointer !== undefined ? [[pointer, baseUrl + path]] : [],
    ),
  )
