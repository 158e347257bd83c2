import type { LaunchOptions } from 'playwright'
import { getPrepared } from './get-prepared.ts'

/** How to start the browser that `npm test` found. */
export const testBrowser = (): LaunchOptions => JSON.parse(getPrepared('TEST_BROWSER', 'a browser'))
