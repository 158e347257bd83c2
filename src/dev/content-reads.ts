import type { ViteDevServer } from 'vite'

/** The module with all content that Astro has read (`DATA_STORE_VIRTUAL_ID` of Astro). */
const contentModule = '\0astro:data-layer-content'

/**
 * Sees to it that pages show the newest content. Astro has content read again whenever it has written it, but modules
 * that wait at that moment for content being read get the old one, and Vite keeps it until the next change. So content
 * is read once more when all that was being made during a change is done; `onStale` hears of it.
 */
export function makeContentReads({ environments }: Pick<ViteDevServer, 'environments'>, onStale: () => void) {
  let changes = 0
  function readAgain(): void {
    for (const { moduleGraph } of Object.values(environments)) {
      const content = moduleGraph.getModuleById(contentModule)
      if (content) moduleGraph.invalidateModule(content)
    }
  }
  return {
    /** To be called when Astro has written content. */
    change(): void {
      changes++
      readAgain()
    },
    /** To be called before something reads content; the function returned is to be called when that is done. */
    begin(): () => void {
      const before = changes
      return () => {
        if (changes === before) return
        readAgain()
        onStale()
      }
    },
  }
}
