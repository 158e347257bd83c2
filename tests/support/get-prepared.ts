/**
 * A value that `npm test` prepares before it runs the tests.
 *
 * @throws Error that says how to run the test if the value was not prepared
 */
export function getPrepared(name: 'TEST_BUILD' | 'TEST_BROWSER' | 'TEST_POSTGRES', what: string): string {
  const value = process.env[name]
  if (value) return value
  throw new Error(`this test needs ${what}: run it with ${process.env['TEST_COMMAND'] ?? 'npm test -- FILE'}`)
}
