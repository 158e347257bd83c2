// Runs one of our programs with a Node.js that is new enough and the locked dependencies.
//   node src/setup/run.mjs <program> [arguments]
// No dependencies and only old syntax, because this file is started by whatever Node.js the machine has.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The oldest Node.js version that has `node:sqlite` without a warning and TypeScript without a flag. */
const needed = [24, 15]
const root = fileURLToPath(new URL('../../', import.meta.url))
const runtimeSource = join(root, 'src/setup/runtime')
const runtime = join(root, '.runtime')
const lockDir = join(root, '.setup-lock')
/** Programs that need the development dependencies; all others run with the production dependencies. */
const developmentPrograms = ['test', 'unit', 'check', 'dev', 'format', 'architecture', 'notices']
  .map((name) => `src/commands/${name}.ts`)
  .concat('bench/main.ts')
const isLive = process.env.FARTHING_MODE === 'live'
const npmCli = (process.env.npm_execpath || '').endsWith('npm-cli.js') ? process.env.npm_execpath : undefined

const isNewEnough = (version) => {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}
const fail = (message) => {
  throw new Error(message)
}
process.on('uncaughtException', (error) => {
  console.error(`setup: ${error.message}`)
  process.exit(1)
})
const hash = (...files) =>
  files.reduce((sum, file) => sum.update(readFileSync(file)).update('\0'), createHash('sha256')).digest('hex')

/** The environment in which `node` and the installed commands come first on PATH. */
function environment(node) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') || 'PATH'
  const path = [dirname(node), join(root, 'node_modules/.bin'), process.env[key]].join(delimiter)
  return Object.assign({}, process.env, { [key]: path, NODE: node, npm_node_execpath: node })
}

function npm(node, args, cwd, { omitsDevelopment = false } = {}) {
  const options = { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: environment(node) }
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier', '--ignore-scripts', '--loglevel=error']
  // The lock file names each package by its digest, so that one in npm's cache needs no question to the registry.
  flags.push('--prefer-offline')
  // The dependencies to install are decided here, whatever npm's own settings say.
  flags.push(omitsDevelopment ? '--omit=dev' : '--include=dev', '--include=optional')
  const result = npmCli
    ? spawnSync(node, [npmCli, ...args, ...flags], options)
    : spawnSync('npm', [...args, ...flags], Object.assign({ shell: process.platform === 'win32' }, options))
  return result.status === 0
}

const fetchedName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const fetchedNode = join(
  runtime,
  'node_modules',
  fetchedName,
  process.platform === 'win32' ? 'bin/node.exe' : 'bin/node',
)
const runtimeStamp = join(runtime, 'stamp')
const wantedRuntime = () => hash(join(runtimeSource, 'package-lock.json'))

/** A Node.js that is new enough and already here: this one, or one that was fetched before. */
function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath
  const isFetched = existsSync(runtimeStamp) && readFileSync(runtimeStamp, 'utf8') === wantedRuntime()
  return isFetched && existsSync(fetchedNode) ? fetchedNode : undefined
}

/** Fetches the pinned Node.js from the npm registry. */
function fetchNode() {
  if (!JSON.parse(readFileSync(join(runtimeSource, 'package.json'), 'utf8')).optionalDependencies[fetchedName])
    fail(`Node.js ${needed.join('.')} or newer is needed (this is ${process.version}); get it from https://nodejs.org/`)
  console.log(`setup: Node.js ${process.version} is too old; fetching a newer one into .runtime/ (about 5 seconds)`)
  const fresh = `${runtime}.new`
  rmSync(fresh, { recursive: true, force: true })
  cpSync(runtimeSource, fresh, { recursive: true })
  if (!npm(process.execPath, ['ci'], fresh)) fail('fetching Node.js from the npm registry failed; is the network up?')
  writeFileSync(join(fresh, 'stamp'), wantedRuntime())
  rmSync(runtime, { recursive: true, force: true })
  renameSync(fresh, runtime)
  return fetchedNode
}

function assertRuns(node) {
  if (node === process.execPath) return
  const probe = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (probe.status !== 0 || !isNewEnough(probe.stdout.trim()))
    fail(`the fetched Node.js does not run here: ${probe.error || probe.stderr}`)
}

const modulesStamp = join(root, 'node_modules/.setup-stamp')
const wholeStamp = () =>
  `${hash(join(root, 'package.json'), join(root, 'package-lock.json'))} ${process.platform} ${process.arch}`
const productionStamp = () => `${wholeStamp()} production`

/** Whether a program needs the development dependencies, as `npm start` does in the sandbox for its local chain. */
const needsDevelopment = (program) =>
  developmentPrograms.includes(program) || (program === 'src/commands/start.ts' && !isLive)

/** Whether npm's record of what it installed has every locked package, for an `npm ci` that was run by hand. */
function isInstalledByHand(withDevelopment) {
  const list = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(list)) return false
  const read = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = read(list)
  const isLeftOut = ({ dev, optional, devOptional }) => optional || devOptional || (dev && !withDevelopment)
  return Object.entries(read(join(root, 'package-lock.json'))).every(
    ([path, locked]) => path === '' || isLeftOut(locked) || installed[path]?.version === locked.version,
  )
}

/** Whether node_modules holds what the program needs, as package-lock.json says, for this platform. */
function areModulesHere(program) {
  const stamp = existsSync(modulesStamp) ? readFileSync(modulesStamp, 'utf8') : undefined
  if (stamp === undefined) return isInstalledByHand(needsDevelopment(program))
  return stamp === wholeStamp() || (stamp === productionStamp() && !needsDevelopment(program))
}

/** Installs the dependencies; in live mode or with NODE_ENV=production only those for production. */
function installModules(node, program) {
  const omitsDevelopment = !needsDevelopment(program) && (isLive || process.env.NODE_ENV === 'production')
  console.log('setup: installing the locked dependencies (20 to 60 seconds the first time)')
  // `npm ci` fails if an incomplete mirror left optional platform packages out of the lock file.
  if (
    !npm(node, ['ci'], root, { omitsDevelopment }) &&
    !npm(node, ['install', '--no-save'], root, { omitsDevelopment })
  )
    fail('installing the dependencies failed; is the network up and the disk not full?')
  writeFileSync(modulesStamp, omitsDevelopment ? productionStamp() : wholeStamp())
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** A lock, because `npm start` and `npm test` may run at the same time: one sets up, the other waits. */
async function locked(work) {
  for (let waits = 0; ; waits++) {
    try {
      mkdirSync(lockDir)
      break
    } catch (error) {
      if (error.code !== 'EEXIST')
        fail(`cannot write in ${root} (${error.code}); make the folder writable or clone it elsewhere`)
      if (waits === 5) console.log('setup: waiting for another set-up of this folder to finish')
      const pidFile = join(lockDir, 'pid')
      const holder = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0
      let abandoned = false
      try {
        abandoned = holder ? !isAlive(holder) : Date.now() - statSync(lockDir).mtimeMs > 5000
      } catch (gone) {
        if (gone.code !== 'ENOENT') throw gone
      }
      if (abandoned) rmSync(lockDir, { recursive: true, force: true })
      else await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  try {
    writeFileSync(join(lockDir, 'pid'), String(process.pid))
    return work()
  } finally {
    rmSync(lockDir, { recursive: true, force: true })
  }
}

const [program, ...args] = process.argv.slice(2)
if (!program) fail('usage: node src/setup/run.mjs <program> [arguments]')
// A complete installation is not written to: its files may be read-only, and belong to another user.
const present = findNode()
const node =
  present && areModulesHere(program)
    ? present
    : await locked(() => {
        const found = findNode() || fetchNode()
        assertRuns(found)
        if (!areModulesHere(program)) installModules(found, program)
        return found
      })
// A process takes these settings when it starts. Their reasons are in `src/core/small-memory.ts`.
const mallocOptions = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_MMAP_THRESHOLD_: '65536' }
const env = Object.assign(program === 'src/commands/start.ts' ? mallocOptions : {}, environment(node))
const child = spawn(node, [join(root, program), ...args], { stdio: 'inherit', env })
// Each signal is passed on only once: the program needs time to finish open sales.
const passed = new Set()
function pass(signal) {
  if (passed.has(signal)) return
  passed.add(signal)
  child.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => pass(signal))
// npm sends its SIGTERM to a shell that dies without passing it on, so the program stops when its parent is gone.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  pass('SIGTERM')
}, 250)
watch.unref()
child.on('exit', (code, signal) => process.exit(code === null ? 128 + (constants.signals[signal] || 0) : code))
