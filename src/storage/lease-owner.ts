import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Whether a process with this pid exists on this host, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** When the process with this pid was started, in clock ticks since boot; undefined where /proc is not to be had. */
function startOf(pid: number): string | undefined {
  try {
    // The command name may hold spaces and brackets: fields are counted after its closing bracket (proc(5)).
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
  } catch {
    return undefined
  }
}

const host = hostname().replaceAll('/', '_')

/** A name for this process that no other process, past or future, has: host, pid, start time, random. */
export const makeOwner = (): string =>
  [host, process.pid, startOf(process.pid) ?? '', randomBytes(6).toString('hex')].join('/')

/**
 * Whether the owner is known to be gone: it ran on this host and its pid is free or was given to a later process.
 * Owners on other hosts are never known to be gone; their leases run out.
 */
export function isGone(owner: string): boolean {
  const [ownerHost, pid, start] = owner.split('/')
  if (ownerHost !== host || !pid) return false
  if (!isAlive(Number(pid))) return true
  const now = startOf(Number(pid))
  return start !== '' && now !== undefined && now !== start
}

/** Whether the owner is known to be at work: a process on this host that has not ended. */
export const isAtWork = (owner: string): boolean => owner.split('/')[0] === host && !isGone(owner)
