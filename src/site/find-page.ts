import { toOneSpelling } from '../http/canonical-path.ts'

interface Options {
  readonly hasPage: (path: string) => boolean
  /** The new paths of pages that were moved. */
  readonly redirects: ReadonlyMap<string, string>
}

/** Finds pages for links that others wrote. */
export function makeFindPage({ hasPage, redirects }: Options) {
  /** The present path of a page that has moved or is spelled differently; undefined where there is none. */
  function findMoved(path: string): string | undefined {
    const spelled = toOneSpelling(path)
    return redirects.get(path) ?? (spelled === undefined ? undefined : findPage(spelled))
  }

  /** The path of the page for an address; undefined where there is none. */
  const findPage = (path: string): string | undefined => (hasPage(path) ? path : findMoved(path))

  return { findPage, findMoved }
}
