/**
 * A time as `Date.prototype.toISOString` writes it, for the years 0 to 9999. That one first loads the system's time zones, which takes
 * a guard a millisecond.
 */
export function isoTime(time: Date): string {
  const date = [digits(time.getUTCFullYear(), 4), digits(time.getUTCMonth() + 1), digits(time.getUTCDate())].join('-');
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map((part) => digits(part)).join(':');
  return `${date}T${clock}.${digits(time.getUTCMilliseconds(), 3)}Z`;
}

const digits = (value: number, many = 2): string => String(value).padStart(many, '0');
