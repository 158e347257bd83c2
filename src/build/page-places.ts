import { join } from 'node:path'

const movedAway = ['private', 'prices', 'previews']

/** Whether what is rendered for a path stays among the client files. */
export const isServed = (path: string): boolean => !movedAway.some((name) => path.startsWith(`/${name}/`))

/** The address of a path as Astro has it: no slash at its end. */
export const toAddress = (pathname: string): string => `/${pathname.replace(/^\/+|\/+$/g, '')}`

/**
 * Where Astro writes a path, below the client folder. The pages of failures are the only ones that are no folders.
 *
 * @param type of its route
 */
export function toFile(pathname: string, type: string): string {
  const name = toAddress(pathname).slice(1)
  if (type !== 'page') return name
  return name === '404' || name === '500' ? `${name}.html` : join(name, 'index.html')
}
