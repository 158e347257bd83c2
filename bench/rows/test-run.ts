import { execFile } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { machineCpuSeconds } from '../other-work.ts'
import type { Row, Sample } from '../row.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const taken = 'npm test'
const processor = 'processor time meanwhile'
const run = promisify(execFile)
/** Characters at the end of the output that are kept: failed tests are reported there. */
const saidCharacters = 10_000

/** Runs a command in a folder; throws with the end of what it said when it fails. */
async function runIn(folder: string, command: string, ...args: readonly string[]): Promise<void> {
  await run(command, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout).slice(-saidCharacters) : ''
    throw new Error(`${command} ${args.join(' ')} failed: ${said}`, { cause: error })
  })
}

/** Runs all tests in a fresh clone; all have to pass. */
async function testClone(folder: string): Promise<Sample> {
  // PostgreSQL does not run as root. If the tests do, it runs as another user, who needs access to this folder.
  for (const path of [dirname(folder), folder]) chmodSync(path, 0o755)
  await runIn(folder, 'git', 'clone', '--quiet', root, '.')
  await runIn(folder, 'npm', 'ci', '--no-audit', '--no-fund')
  const before = { ms: performance.now(), cpuSeconds: machineCpuSeconds() }
  await runIn(folder, 'npm', 'test')
  return {
    [taken]: (performance.now() - before.ms) / 60_000,
    [processor]: (machineCpuSeconds() - before.cpuSeconds) / 60,
  }
}

/** How long all tests take after a change. */
export const testRun: Row = {
  title: 'All tests',
  meaning:
    'The commit that is checked out is cloned into an empty folder, and after `npm ci` there, which does not count, `npm test` is given: it fetches the browser and PostgreSQL that tests use, checks types, form and dependencies, builds the site and runs every test; all have to pass. The processor time is that of the whole machine. One round, and none to warm up.',
  measures: [
    { name: taken, unit: 'min', digits: 1, limit: { is: 'at most', figure: 8 } },
    { name: processor, unit: 'min', digits: 1 },
  ],
  goals: [],
  causes: [
    {
      measure: taken,
      because:
        'Both cores are busy all the time, so that only less work takes less time. Programs that tests start are little of it: the site is started 112 times at 1.1 s of processor time, 4 % in all, so that sharing every one of them would save a minute, and most tests have theirs for themselves because they kill it, fill it or set its clock; 61 more are there to be killed. Most is what tests do: thousands of schedules and faults of payments, 80,000 hostile bodies, pictures, speech, pages in a browser. Tried: the two programs are compiled once for all that start them (1.13 s of processor time a start in place of 1.30), modules are loaded once for many files of tests (importing was a tenth of a run), files that take longest begin, and types are checked beside the build; of 178 files of unit tests four workers on two cores take 108 s, two or six 128, and threads in place of processes 129 in place of 115. On 2026-11-30 a run was accounted for, in an hour in which memory that is touched first took 16 µs a page: 3,230 s of processor time in 28 minutes, of them 910 in the processes of the tests, 1,390 in programs that they start, and the rest in installing, building, checking, the browser and PostgreSQL; 39 million pages that are touched first are a fifth of it. No file takes more than about 3 %, and the 20 that take most have 24 % together (without the browser). In an hour of the same day in which a page took 4 µs it was 1,340 s in 12 minutes, with 94 % of both cores: 460 in the processes of the tests, 570 in 930 programs of Node.js, 150 in the browser (six sets of options for it were tried: 31 to 32 s each for the test of accessibility), 60 to 100 in the checks. Five and six workers in place of four took 111 and 109 s in place of 105 for three folders of tests. A table of a million characters that fast-check made in each process is spared since (a second and 110 MB). Since then slow tests in small files begin, too: two of them ran alone at the end. Other options of V8 for the processes of the tests, one thread for garbage or twice the space for young objects, took 224 and 221 s of processor time in place of 203 for two folders of tests; nine sets of options of V8 and malloc for the site took 0.46 to 0.53 s a start in place of 0.48. Large pages for all programs that tests start made no difference that can be told (113 and 121 s for five files in place of 137 and 115, in turns). After that run, content is not read again for the types of pages (3.5 s of processor time), the linter gets the 4.3 GB that it needs where half of the memory is more (23 s in place of 28.6), damaged logs are written over the one before (9.3 s in place of 12.6), and npm takes what is in its cache without asking the registry (30 s in place of 37, and 22 s in place of 27 that everything else waits for; the tests install once more). By perf, a run of 1,376 s is for 24 % in the threads that run tests and for 8 % in the other threads of the same processes, half of which marks garbage (58 s); a quarter is in the system, most of it for memory, and 0.8 % because ext4 looks for inodes that were not freed in the last minutes. So a larger heap was tried at the start: with 256 MB 53.3 and 52.4 s in place of 55.2 and 53.7 for tests over HTTP, 129.6 in place of 128.7 for unit tests, and 144 for those with 512 MB, because memory that is touched first costs as much; all garbage collected in one thread took 55.0 and 54.8. Starting a program takes 7 ms of processor time, and 60 ms until it runs, in which its test waits; the 1,350 of a run are 1 %. Requests before the compiled site is kept, so that their functions are compiled too, made no difference (0.16 s for 60 of them in both). Since that evening Node.js imports the code, as it does for the programs, where Vite transformed each module for each process and every use of another module went through an object: 1,273 s of processor time in place of 1,428 for a whole run, and 165 and 176 s in place of 186 for unit tests and those of the game, in turns. By what each file of tests and its programs took in the run before, the twenty that take most have 460 of 1,350 s; the greatest are the development site with 52 s, kills of a site that sells with 44, builds after changes with 43, hostile chains with 34 and the two commands with 32, each of which takes 1.6 times what it takes alone, because two cores that are busy slow each other down. Large pages for the code of Node.js or for what malloc gives made no difference there (124 to 132 s for unit tests in place of 120 to 127), and traces of errors switched off take a tenth from tests of hostile bodies only, and would be missed. Five workers with that took 11.6 min and 1,375 s of processor time, four 11.4 min and 1,273 s; in a slower hour four took 13.0 min and 1,455 s, installing included (28 s). Since 2026-12-01 one worker has the files of tests that wait for clocks, other attempts or blocks, one after the other, while the others are busy, where before all four waited for half a minute at a time: 12.7 min in a slow hour with 1,433 s of processor time, installing included (37 s), and 77 s in which a core had nothing to do, 40 of them while packages were installed; in a faster hour, before that, all but the last tests were done after 10.5 min and 1,159 s. Without effect: a quarter as many looks of tests that wait for something (415 s of processor time for two folders of tests, 376 without, in a faster minute; all looks together take 3 s), no optimizing compiler for the processes of the tests (147 s for unit tests, 144 and 137 with it), and heaps that grow more before garbage is collected (124 and 123 s, 122 and 124 without). Not done: fewer schedules, faults and kills, which would take something from the promises that they stand for.',
      profile: {
        of: 'processor time of such a run by program, looked at four times a second, 3,100 s, 2026-11-26',
        percent: {
          'tests in their own processes': 36,
          browser: 11,
          'speech, pictures and pages in workers of the programs': 10,
          'the site': 10,
          'builds, and npm run dev': 7,
          'programs that are killed': 5,
          'commands of operators and buyers': 5,
          'npm ci': 3,
          'the game host': 2,
          'types and form': 2,
          'the rest': 9,
        },
      },
    },
  ],
  mostRounds: 1,
  hasNoWarmUp: true,
  isOnlyNamed: true,
  start: async ({ newFolder }) => ({ ours: () => testClone(newFolder()), peers: {} }),
}
