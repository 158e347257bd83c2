import type { Browser } from 'playwright'
import { launch } from './browser.ts'
import { type RunningSite, testBaseUrl } from './running-site.ts'
import { testBrowser } from './test-browser.ts'

/** The browser that `npm test` found, in which the public address leads to this site. */
export async function launchFor(site: Pick<RunningSite, 'port'>, args: readonly string[] = []): Promise<Browser> {
  return await launch({
    ...testBrowser(),
    args: [
      `--host-resolver-rules=MAP farthing.test:80 127.0.0.1:${site.port}`,
      // Some headers count on https and on localhost only, unless a browser is told to trust a name.
      `--unsafely-treat-insecure-origin-as-secure=${testBaseUrl}`,
      '--no-first-run',
      '--disable-gpu',
      ...args,
    ],
  })
}

/** The address of a page below localhost, where a browser allows what it keeps from plain http, such as the clipboard. */
export const toTrusted = ({ port }: Pick<RunningSite, 'port'>, path: string): string =>
  `http://localhost:${port}${path}`

/** What a browser says that was too busy to fade from page to page, and went there at once. */
const skippedFade = 'Transition was aborted because of invalid state'

/** Opens a page of the site and collects what the browser complains about. */
export async function openPage(browser: Browser, path: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage(options)
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', ({ message }) => message.startsWith(skippedFade) || complaints.push(message))
  await page.goto(testBaseUrl + path)
  return { page, complaints }
}
