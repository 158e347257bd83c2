import { toOneSpelling } from '../http/canonical-path.ts'

interface Options {
  readonly hasPage: (path: string) => boolean
  /** Where former addresses lead. */
  readonly redirects: ReadonlyMap<string, string>
}

/** Where the pages are of addresses that others wrote. */
export function makeFindPage({ hasPage, redirects }: Options) {
  /** Where the page of an address is that is not there. */
  function findMoved(path: string): string | undefined {
    const spelled = toOneSpelling(path)
    return redirects.get(path) ?? (spelled === undefined ? undefined : findPage(spelled))
  }

  /** Where the page of an address is. */
  const findPage = (path: string): string | undefined => (hasPage(path) ? path : findMoved(path))

  return { findPage, findMoved }
}
