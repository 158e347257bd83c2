import { readFileSync } from 'node:fs'

/** Memory of a process in KB (proc(5)); undefined when it has ended or the system does not tell. */
export function readMemory(pid: number | undefined): { rss: number; pss?: number } | undefined {
  const rss = readKb(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB$/m)
  const pss = readKb(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB$/m)
  return rss === undefined ? undefined : { rss, ...(pss !== undefined && { pss }) }
}

function readKb(file: string, line: RegExp): number | undefined {
  try {
    const figure = line.exec(readFileSync(file, 'utf8'))?.[1]
    return figure === undefined ? undefined : Number(figure)
  } catch {
    return undefined
  }
}
