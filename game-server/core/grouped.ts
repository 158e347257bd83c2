/**
 * A whole number with commas between its thousands. It avoids `toLocaleString`, whose first call in a process is slow
 * enough to delay the start, when pages are rendered ahead.
 */
export const grouped = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',')
