import { expect, it } from 'vitest'
import { holdGameDatabase } from '../../game-server/storage/hold-game-database.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { makeDatabase } from '../support/test-databases.ts'

const noted: string[] = []
const note = (text: string) => void noted.push(text)
const nobody = () => {
  throw new Error('nobody else is here')
}

it('is alone in its database, on whichever machine, and is followed when it goes', async () => {
  const url = await makeDatabase()
  const letGo = await holdGameDatabase(url, { onLost: nobody, note })
  await expect(holdGameDatabase(url, { onLost: nobody, note, waitMs: 300 })).rejects.toThrow(
    'another game host plays in the database of DATABASE_URL; stop it, or name another database',
  )
  const next = holdGameDatabase(url, { onLost: nobody, note })
  await expect.poll(() => noted.length).toBe(2)
  await letGo()
  await (await next)()
})

it('stays alone when its connection breaks, and learns when another came meanwhile', async () => {
  const url = await makeDatabase()
  const proxy = await startPostgresProxy(url)
  const lost = Promise.withResolvers<void>()
  await holdGameDatabase(proxy.url, { onLost: lost.resolve, note })
  proxy.cut()
  // It is back before anybody else could be.
  await expect.poll(() => proxy.carried()).toBe(2)
  await expect(holdGameDatabase(url, { onLost: nobody, note, waitMs: 300 })).rejects.toThrow('another game host')
  proxy.refuse(true)
  proxy.cut()
  const letGo = await holdGameDatabase(url, { onLost: nobody, note })
  proxy.refuse(false)
  await lost.promise
  await letGo()
  await proxy.close()
})
