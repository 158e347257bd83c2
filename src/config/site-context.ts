import { readConfig } from './config.ts'
import { toShop } from './shop.ts'

const config = readConfig(process.env)

/** The addresses and the mode that pages are built for; the running server has the same values. */
export const shop = toShop(config)

/** The address of the game host, without a trailing slash. */
export const { gameUrl } = config

const { BUILD_AS_OF: asOf } = process.env

/** The time of the build. All pages use the same instant, so that they agree about which posts are published. */
export const builtAt = asOf ? new Date(asOf) : new Date()
