import { statSync } from 'node:fs'
import type { ViteDevServer } from 'vite'

/** The module with all content that Astro has read (`DATA_STORE_VIRTUAL_ID` of Astro). */
const contentModule = '\0astro:data-layer-content'

interface Options extends Pick<ViteDevServer, 'environments'> {
  /** The file that Astro writes content to, anew at each change. */
  readonly store: string
  /** Called where something was made of content that may have been old. */
  readonly onStale: () => void
}

/**
 * Sees to it that pages show the newest content. Astro has content read again whenever it has written it, but modules
 * that wait at that moment for content being read get the old one, and Vite keeps it until the next change. So content
 * is read once more when something is done that was being made during a change.
 */
export function makeContentReads({ environments, store, onStale }: Options) {
  // Looked up and not heard of from a watcher, which may miss one of two changes.
  const versionNow = (): string => {
    const { ino, mtimeMs } = statSync(store, { throwIfNoEntry: false }) ?? {}
    return `${ino} ${mtimeMs}`
  }
  function readAgain(): void {
    for (const { moduleGraph } of Object.values(environments)) {
      const content = moduleGraph.getModuleById(contentModule)
      if (content) moduleGraph.invalidateModule(content)
    }
    onStale()
  }
  return {
    /** To be called before something reads content; the function returned is to be called when that is done. */
    begin(): () => void {
      const before = versionNow()
      return () => {
        if (versionNow() !== before) readAgain()
      }
    },
  }
}
