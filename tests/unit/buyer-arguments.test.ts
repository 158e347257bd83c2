import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/buyer/read-arguments.ts'
import { UsageError } from '../../src/buyer/usage.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'

const url = 'https://shop.example/skills/x/raw'

describe('the arguments of buy', () => {
  it('default to a GET of at most one dollar in USDC', () => {
    expect(readArguments([url], undefined)).toMatchObject({
      method: 'GET',
      maxPrice: 1_000_000n,
      asset: usdcAddress,
      timeoutSeconds: 300,
      json: false,
    })
  })

  it('post a body without being told to', () => {
    expect(readArguments([url, '-d', '{}'], undefined)).toMatchObject({ method: 'POST', body: '{}' })
    expect(readArguments([url, '-X', 'put', '-d', '@f.json'], undefined)).toMatchObject({
      method: 'PUT',
      body: '@f.json',
    })
  })

  it('take the limit from the option, else from the environment', () => {
    expect(readArguments([url], '0.25')).toMatchObject({ maxPrice: 250_000n })
    expect(readArguments([url, '--max-usd', '$2.000001'], '0.25')).toMatchObject({ maxPrice: 2_000_001n })
    expect(readArguments([url], '')).toMatchObject({ maxPrice: 1_000_000n })
  })

  it('drop the fragment, which no server sees, so that it makes no separate purchase', () => {
    const read = readArguments([`${url}#part`], undefined)
    expect(read !== 'help' && read.url.href).toBe(url)
  })

  it.each([
    [[], 'give the URL'],
    [[url, 'second'], 'only one URL at a time'],
    [['shop.example'], 'is not a URL'],
    [['ftp://shop.example/x'], 'is not a URL'],
    [['https://me:secret@shop.example/x'], 'user name or a password'],
    [[url, '--max-usd', '1e3'], '--max-usd'],
    [[url, '--max-usd=-1'], '--max-usd'],
    [[url, '--max-usd', '0.0000001'], '--max-usd'],
    [[url, '-X', 'HEAD'], '-X must be one of'],
    [[url, '-X', 'GET', '-d', '{}'], 'carries no body'],
    [[url, '--sha256', 'abc'], '--sha256 must be'],
    [[url, '--asset', 'USDC'], '--asset must be'],
    [[url, '--timeout', '0'], '--timeout must be'],
    [[url, '--colour'], "Unknown option '--colour'"],
    [[url, '-o'], '-o'],
  ])('are refused with a reason: %j', (argv, reason) => {
    const read = () => readArguments(argv, undefined)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(reason)
    expect(read).not.toThrow(/secret/)
  })

  it('show the help in place of anything else', () => {
    expect(readArguments(['--help'], undefined)).toBe('help')
  })
})
