import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../tests/support/postgres-server.ts'
import { cpuMicros } from './cpu-time.ts'
import type { Bench } from './row.ts'

/** Starts a PostgreSQL server for the bench, which stops when the row is over. */
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
    /**
     * Processor time of all its processes so far, in microseconds. Each connection has a process, and others come and
     * go.
     */
    cpuMicros(): number {
      const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
      // A process that has ended in between is counted by `endedMicros`.
      const living = children.map((pid) => cpuMicros(Number(pid))).filter((micros) => !Number.isNaN(micros))
      return living.reduce((sum, micros) => sum + micros, endedMicros(postmaster))
    },
  }
}

/** A clock tick in proc(5), in microseconds; the same on every Linux that Node.js runs on. */
const tickMicros = 10_000

/** Processor time of the children of a process that have ended, in microseconds. */
function endedMicros(pid: number): number {
  // The program name in parentheses may contain anything; numbers follow it.
  const [, ...numbers] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const [user = Number.NaN, system = Number.NaN] = numbers.slice(12, 14).map(Number)
  return (user + system) * tickMicros
}
