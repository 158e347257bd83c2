import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../tests/support/postgres-server.ts'
import { cpuMicros } from './cpu-time.ts'
import type { Bench } from './row.ts'

/** A PostgreSQL of the bench's own, until the row is over. */
export async function startBenchPostgres({ started }: Pick<Bench, 'started'>) {
  const server = await startPostgres()
  started.defer(() => server.remove())
  const postmaster = Number(readFileSync(join(server.data, 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    /** Makes an empty database. @returns its address */
    async makeDatabase(name: string): Promise<string> {
      const client = new pg.Client(server.url)
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return Object.assign(new URL(server.url), { pathname: name }).href
    },
    /** Its processes, one of which serves each connection. */
    pids: (): number[] =>
      readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  }
}

/** Processor time of several processes, in microseconds. */
export const totalMicros = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuMicros(pid), 0)
