import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { sha256 } from '../core/sha256.ts'

/** Whether a process with this pid exists on this host, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** When the process with this pid was started, in clock ticks since boot; undefined without /proc. */
function startOf(pid: number): string | undefined {
  try {
    // The command name may hold spaces and brackets: fields are counted after its closing bracket (proc(5)).
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
  } catch {
    return undefined
  }
}

const host = hostname().replaceAll('/', '_')

/**
 * Identifies the system within which the pids of this process are valid. Hosts and containers may share a name, but not
 * the boot id of the kernel together with the pid namespace. Without /proc, MAC addresses tell machines apart.
 */
function findPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return sha256('place', boot, readlinkSync('/proc/self/ns/pid')).slice(0, 16)
  } catch {
    const cards = Object.values(networkInterfaces()).flatMap((card) => card ?? [])
    const addresses = cards.filter(({ internal }) => !internal).map(({ mac }) => mac)
    return sha256('place', host, ...[...new Set(addresses)].sort()).slice(0, 16)
  }
}

const place = findPlace()
const start = startOf(process.pid) ?? ''

/** A name for this process that no other process, past or future, has: host, pid, start time, random, place. */
export const makeOwner = (): string => [host, process.pid, start, randomBytes(6).toString('hex'), place].join('/')

function hasEnded(owner: string): boolean {
  const [, pid, begun] = owner.split('/')
  if (!pid) return false
  if (!isAlive(Number(pid))) return true
  const now = startOf(Number(pid))
  return begun !== '' && now !== undefined && now !== begun
}

/**
 * Whether the owner of a lease is known to be gone: it ran on this very system and its pid is free or was given to a
 * later process. Of owners on other hosts, in other containers and before a restart nothing is known; their leases run
 * out.
 */
export const isGone = (owner: string): boolean => owner.split('/')[4] === place && hasEnded(owner)

/**
 * Like `isGone`, for an owner whose name is in a file of this machine. Such a file outlasts a reboot, so the boot id is
 * not compared: an owner with this host's name has run on this host.
 */
export const hasLeft = (owner: string): boolean => owner.split('/')[0] === host && hasEnded(owner)

/** Whether the owner is known to be at work: a process on this host that has not ended. */
export const isAtWork = (owner: string): boolean => owner.split('/')[0] === host && !hasEnded(owner)
