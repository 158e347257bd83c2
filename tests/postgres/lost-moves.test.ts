import { expect, it } from 'vitest'
import { openHosts } from '../../game-server/hosts/hosts.ts'
import { readCommands } from '../../game-server/realms/load-realm.ts'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { startGameHost } from '../support/game-host.ts'
import { startPostgresProxy } from '../support/postgres-proxy.ts'
import { makeDatabase } from '../support/test-databases.ts'

it.each(['alone', 'one of several'])(
  '%s, a host stores each world and each move once, whichever reply of the database is lost',
  async (is) => {
    const database = await makeDatabase()
    const proxy = await startPostgresProxy(database)
    const witness = await openGameDatabase('', database)
    const noted: unknown[] = []
    const hosts = is === 'alone' ? undefined : await openHosts({ db: witness, report: (error) => noted.push(error) })
    const gameHost = await startGameHost({
      gameDatabase: proxy.url,
      inputLimits: { perSecond: 1e9, burst: 1e9 },
      ...(hosts && { hosts }),
    })
    let players = 0
    let presses = 0
    const press = async (token: string) => {
      presses++
      await gameHost.dungeon.act(token, presses % 2 === 0 ? 'east' : 'west')
    }
    const written = async (): Promise<number> => {
      const rows = await witness.selectFrom('input_log').select('commands').execute()
      return (
        rows
          .map(({ commands }) => commands)
          .join()
          .split('"is":"key"').length - 1
      )
    }
    for (const loss of ['answer', 'question'] as const)
      for (let after = 0; ; after++) {
        const joined = await gameHost.dungeon.join({ name: `Ada-${++players}`, kind: 'agent', mode: 'daily' })
        if (joined.is === 'refused') throw new Error(joined.message)
        // The new world is stored a moment later.
        proxy.lose(loss, after)
        await press(joined.token)
        await expect.poll(written).toBe(presses)
        if (!proxy.stop()) break
        // The next move is stored after the lost one.
        await press(joined.token)
        await expect.poll(written).toBe(presses)
      }
    const realms = [...gameHost.game.realms()]
    const kept = await Promise.all(realms.map(({ id }) => readCommands(gameHost.db, id)))
    expect(kept.map((commands) => commands.length)).toEqual(realms.map(({ commands }) => commands))
    expect(kept.flat().filter(({ is }) => is === 'key')).toHaveLength(presses)
    expect(await gameHost.db.selectFrom('seat').select('player').execute()).toHaveLength(players)
    expect(gameHost.noted.filter((line) => !line.includes('AnswerLost'))).toEqual([])
    await gameHost.stop()
    await hosts?.close()
    expect(noted).toEqual([])
    await witness.destroy()
    await proxy.close()
  },
)
