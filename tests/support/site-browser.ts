import type { Browser } from 'playwright'
import { z } from 'zod'
import { launch } from './browser.ts'
import { testBaseUrl } from './running-site.ts'

/** The browser of this run, for which the test name leads to a local port and counts as a secure place. */
export function launchForSite(port: number, more: readonly string[] = []): Promise<Browser> {
  const found = z.looseObject({ executablePath: z.string() }).parse(JSON.parse(process.env['TEST_BROWSER'] ?? '{}'))
  return launch({
    ...found,
    args: [
      `--host-resolver-rules=MAP farthing.test:80 127.0.0.1:${port}`,
      // The clipboard and some headers work on https and on localhost only, unless a browser is told to trust a name.
      `--unsafely-treat-insecure-origin-as-secure=${testBaseUrl}`,
      '--no-first-run',
      '--disable-gpu',
      ...more,
    ],
  })
}
