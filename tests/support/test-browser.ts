import type { LaunchOptions } from 'playwright'
import { getPrepared } from './get-prepared.ts'

/** The options that start the browser found by `npm test`. */
export const testBrowser = (): LaunchOptions => JSON.parse(getPrepared('TEST_BROWSER', 'a browser'))
