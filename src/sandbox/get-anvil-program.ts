import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const platforms: Record<string, string> = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-amd64',
}

/**
 * Finds the anvil program itself, inside its platform package. The JavaScript wrapper beside it is passed over:
 * it is one more process, and signals would have to travel through it.
 *
 * @throws Error that names the package to install
 */
export function getAnvilProgram(machine = `${process.platform}-${process.arch}`): string {
  const platform = platforms[machine]
  const known = Object.keys(platforms).join(', ')
  if (!platform) throw new Error(`The local chain (anvil) does not exist for ${machine}, only for ${known}`)
  const name = `@foundry-rs/anvil-${platform}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    const folder = dirname(createRequire(wrapper).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch (cause) {
    throw new Error(`The local chain is not installed: add the package ${name} with npm ci --include=optional`, {
      cause,
    })
  }
}
