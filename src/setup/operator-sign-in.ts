import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { makeOauthRecords } from '../oauth/oauth-records.ts'
import { openOauthDatabase } from '../oauth/open-oauth-database.ts'
import { makeSignInLinks } from '../oauth/sign-in-links.ts'

type Place = Pick<Config, 'baseUrl' | 'dataDir'>

async function withRecords<Result>(
  { dataDir }: Place,
  use: (records: ReturnType<typeof makeOauthRecords>) => Promise<Result>,
): Promise<Result> {
  const db = await openOauthDatabase(join(resolve(dataDir), 'oauth.db'))
  try {
    return await use(makeOauthRecords({ db, now: Date.now }))
  } finally {
    await db.destroy()
  }
}

/** A link that lets the operator agree, once, in the browser where a program asks. */
export const printSignInLink = (place: Place): Promise<string> =>
  withRecords(place, async (records) => {
    const link = await makeSignInLinks({ records, baseUrl: place.baseUrl, now: Date.now }).make()
    return `${link}\n\nOpen it within 10 minutes in the browser where a program asks to act for you. It works once.`
  })

/** Takes back what every program was given. */
export const signOutEverywhere = (place: Place): Promise<string> =>
  withRecords(place, async (records) => {
    const count = await records.forgetAll()
    return `programs that acted for you: ${count}. None does any more.`
  })
