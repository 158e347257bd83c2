import { readConfig } from './config.ts'
import { toShop } from './shop.ts'

const config = readConfig(process.env)

/** The addresses and the mode that pages are built for; the same values that the running server has. */
export const shop = toShop(config)

/** The address of the game host, without a trailing slash. */
export const { gameUrl } = config

const { BUILD_AS_OF: asOf } = process.env

/** One instant for the whole build, so that no two pages disagree about what is published. */
export const builtAt = asOf ? new Date(asOf) : new Date()
