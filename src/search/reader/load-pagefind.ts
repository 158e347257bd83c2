/** The part of Pagefind's API that the search page uses. */
export interface Pagefind {
  options(options: object): Promise<void>
  init(): Promise<void>
  mergeIndex(path: string, options: { language: string }): Promise<void>
  search(
    query: string,
    options: { filters: Record<string, string> },
  ): Promise<{ results: readonly { data(): Promise<Found> }[] }>
}

/** A result as it is shown. */
export interface Found {
  readonly url: string
  /** HTML. */
  readonly excerpt: string
  readonly meta: Record<string, string>
  readonly filters: Record<string, readonly string[]>
}

const folder = '/pagefind/'
/** Another spelling of the folder: Pagefind refuses to merge an index from its own folder, even in another language. */
const sameFolder = `${folder}./`
const worker = `${folder}pagefind-worker.js`

/**
 * Loads Pagefind with the index of every language of the site. It searches in a worker, so that typing is never
 * delayed. Pages require trusted types, so a policy allows exactly this script for a worker.
 */
export async function loadPagefind(): Promise<Pagefind> {
  trustWorker()
  const pagefind: Pagefind = await import(/* @vite-ignore */ `${location.origin}${folder}pagefind.js`)
  await pagefind.init()
  const entry: { languages: Record<string, unknown> } = await (await fetch(`${folder}pagefind-entry.json`)).json()
  const own = document.documentElement.lang.toLowerCase()
  for (const language of Object.keys(entry.languages))
    if (language !== own) await pagefind.mergeIndex(sameFolder, { language })
  return pagefind
}

interface TrustedTypes {
  readonly defaultPolicy: unknown
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
}

function trustWorker(): void {
  const trustedTypes: TrustedTypes | undefined = Reflect.get(globalThis, 'trustedTypes')
  if (!trustedTypes || trustedTypes.defaultPolicy) return
  trustedTypes.createPolicy('default', {
    createScriptURL(url) {
      if (new URL(url, location.href).href !== location.origin + worker)
        throw new TypeError(`no worker is made of ${url}`)
      return url
    },
  })
}
