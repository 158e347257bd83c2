// Adds to package-lock.json the optional platform packages that an incomplete registry mirror left out, so that
// `npm ci` accepts the file on every platform. Run it after each `npm install` that changes the lock file.
//   node src/setup/complete-lock.mjs [folder]
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(process.argv[2] || '.', 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const packages = lock.packages
const systems = { android: 'android', darwin: 'darwin', linux: 'linux', win32: 'win32', windows: 'win32' }
for (const name of ['freebsd', 'openbsd', 'netbsd', 'sunos', 'aix', 'openharmony']) systems[name] = name
const processors = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'wasm32', 'mips64el']

/** Whether `name` resolves from the package at `path`, by Node's walk up the node_modules folders. */
function isLocked(path, name) {
  for (let at = path; ; ) {
    if (packages[at ? `${at}/node_modules/${name}` : `node_modules/${name}`]) return true
    if (!at) return false
    const up = at.lastIndexOf('node_modules/')
    at = up <= 0 ? '' : at.slice(0, up - 1)
  }
}

let added = 0
for (const [path, details] of Object.entries({ ...packages })) {
  for (const [name, range] of Object.entries(details.optionalDependencies || {})) {
    if (isLocked(path, name)) continue
    const words = name.split(/[-/]/).map((word) => word.replace('gnueabihf', '').replace('amd64', 'x64'))
    const cpu = words.find((word) => processors.includes(word))
    const os = words.map((word) => systems[word]).find(Boolean)
    const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined
    if (!/^\d/.test(range) || !cpu) {
      console.error(`skipped ${name} ${range}`)
      continue
    }
    packages[`node_modules/${name}`] = {
      version: range,
      cpu: [cpu],
      ...(details.dev && { dev: true }),
      ...(libc && { libc: [libc] }),
      optional: true,
      ...(os && { os: [os] }),
    }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} platform packages added to ${file}`)
