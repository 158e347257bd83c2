import type { Browser } from 'playwright'
import { launch } from './browser.ts'
import { type RunningSite, testBaseUrl } from './running-site.ts'
import { testBrowser } from './test-browser.ts'

/** Starts the browser that `npm test` found, with the public address mapped to this site. */
export async function launchFor(site: Pick<RunningSite, 'port'>, args: readonly string[] = []): Promise<Browser> {
  return await launch({
    ...testBrowser(),
    args: [
      `--host-resolver-rules=MAP farthing.test:80 127.0.0.1:${site.port}`,
      // Some headers only take effect on secure origins, so Chromium is told to trust this name.
      `--unsafely-treat-insecure-origin-as-secure=${testBaseUrl}`,
      '--no-first-run',
      '--disable-gpu',
      ...args,
    ],
  })
}

/** The address of a page on localhost, where browsers allow features that plain http lacks, such as the clipboard. */
export const toTrusted = ({ port }: Pick<RunningSite, 'port'>, path: string): string =>
  `http://localhost:${port}${path}`

/** A browser that is too busy for the page transition logs this and navigates at once. */
const skippedFade = 'Transition was aborted because of invalid state'

/** Opens a page of the site and collects errors in the browser's console. */
export async function openPage(browser: Browser, path: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage(options)
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', ({ message }) => message.startsWith(skippedFade) || complaints.push(message))
  await page.goto(testBaseUrl + path)
  return { page, complaints }
}
