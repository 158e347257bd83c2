/**
 * A whole number with commas between its thousands. By hand, because the first `toLocaleString` of a process takes as
 * long as reading the settings, and pages hold numbers before anybody asks for them.
 */
export const grouped = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',')
