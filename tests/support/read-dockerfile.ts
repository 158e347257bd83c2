import { readFileSync } from 'node:fs'

/** One instruction of a Dockerfile, with continued lines joined. */
export interface Step {
  readonly instruction: string
  readonly rest: string
}

/** The stages of a Dockerfile with their instructions, in order, each starting with its FROM. */
export function readDockerfile(path: string): Step[][] {
  const lines = readFileSync(path, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: Step[][] = []
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (instruction === 'FROM') stages.push([])
    stages.at(-1)?.push({ instruction, rest })
  }
  return stages
}

/** The sources and the target of a COPY; undefined if it copies from another stage. */
export function readCopy({ rest }: Step): { from: readonly string[]; to: string } | undefined {
  if (rest.startsWith('--from=')) return undefined
  const paths = rest.split(/\s+/)
  return { from: paths.slice(0, -1), to: paths.at(-1) ?? '' }
}
